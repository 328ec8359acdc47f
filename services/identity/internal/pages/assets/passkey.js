// Signing in with a passkey. The page works without this: its form is hidden until a browser runs it that knows passkeys.
'use strict'

const form = document.getElementById('passkey')
if (form && window.PublicKeyCredential && PublicKeyCredential.parseRequestOptionsFromJSON) {
  const fault = document.getElementById('passkey-fault')
  const button = form.querySelector('button')
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    button.disabled = true
    fault.hidden = true
    try {
      const asked = await ask()
      const credential = await navigator.credentials.get({
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(asked.options)),
      })
      form.elements.ceremony.value = asked.ceremony
      form.elements.credential.value = JSON.stringify(credential.toJSON())
      form.submit()
    } catch {
      fault.hidden = false
      button.disabled = false
    }
  })
}

// ask gets a challenge for this very sign-in.
async function ask() {
  const answer = await fetch('/sign-in/passkey/ask', {
    method: 'POST',
    body: new URLSearchParams({ request: form.elements.request.value, passkey_token: form.elements.passkey_token.value }),
  })
  if (!answer.ok) throw new Error(String(answer.status))
  return answer.json()
}
