// Prints a member's record by REST: node user.mjs UID
const { OIDC_ISSUER, CLIENT_ID, CLIENT_SECRET, SEREIN_URL } = process.env;
const credentials = btoa(`${encodeURIComponent(CLIENT_ID)}:${encodeURIComponent(CLIENT_SECRET)}`);
let token = { value: "", until: 0 };

// authorization is the program's own token; it gets another shortly before that expires.
async function authorization() {
  if (Date.now() > token.until) {
    const given = await asked(`${OIDC_ISSUER}/oauth/token`, {
      method: "POST",
      headers: { Authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ grant_type: "client_credentials", scope: "serein.user.read" }),
    });
    token = { value: given.access_token, until: Date.now() + (given.expires_in - 30) * 1000 };
  }
  return `Bearer ${token.value}`;
}

// asked gives the answer of a call, or fails with what was said instead.
async function asked(address, options) {
  const answer = await fetch(address, { ...options, signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`${new URL(address).pathname}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const query = new URLSearchParams({ uid: process.argv[2] });
const record = await asked(`${SEREIN_URL}/api/GetUser?${query}`, { headers: { Authorization: await authorization() } });
console.log(JSON.stringify(record, null, 2));
