// What discovery names, asked by the public openid-client, unmodified. ISSUER is a running identity service.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as client from 'openid-client'

const { ISSUER, LOGIN, PASSWORD, GATEWAY_SECRET, SERVICE_SECRET, LOGOUT_PORT } = process.env
const issuer = new URL(ISSUER)
const callback = 'https://app.test/auth/callback'

// A browser: it keeps cookies, and follows redirects until they leave the provider.
class Browser {
  cookies = new Map()

  async go(url, form) {
    for (;;) {
      const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const body = form && new URLSearchParams(form)
      const answer = await fetch(url, { redirect: 'manual', method: form ? 'POST' : 'GET', body, headers: { cookie, 'sec-fetch-site': 'same-origin' } })
      for (const line of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)
        if (value === '') this.cookies.delete(name)
        else this.cookies.set(name, value)
      }
      if (answer.status < 300 || answer.status > 399) return { answer, page: await answer.text(), at: url }
      const next = new URL(answer.headers.get('location'), url)
      if (next.origin !== issuer.origin) return { left: next }
      url = next
      form = undefined
    }
  }

  fields(page) {
    return Object.fromEntries([...page.matchAll(/type="hidden" name="([a-z_]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]))
  }

  // signIn gives the address at the client that the browser comes back to.
  async signIn(url) {
    let seen = await this.go(url)
    if (!seen.left && seen.at.pathname === '/sign-in') {
      seen = await this.go(new URL('/sign-in', issuer), { ...this.fields(seen.page), login: LOGIN, password: PASSWORD })
    }
    if (!seen.left && seen.at.pathname === '/sign-in/consent') {
      seen = await this.go(new URL('/sign-in/consent', issuer), { ...this.fields(seen.page), answer: 'allow' })
    }
    assert.ok(seen.left, seen.page)
    return seen.left
  }
}

async function discover(id, auth) {
  const config = await client.discovery(issuer, id, undefined, auth)
  client.enableNonRepudiationChecks(config) // signatures too, by the keys that discovery names
  return config
}

async function signIn(config, browser, parameters = {}, checks = {}) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const expectedNonce = client.randomNonce()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback, scope: 'openid profile email offline_access', state: expectedState, nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier), code_challenge_method: 'S256', ...parameters,
  })
  const back = await browser.signIn(url)
  return client.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true, ...checks })
}

// The client's server for back-channel logout notices.
const told = createServer()
told.listen(Number(LOGOUT_PORT), '127.0.0.1')
after(() => told.close())

test('discovery names what this suite asks, and no more', async () => {
  const named = (await discover('gateway', client.ClientSecretBasic(GATEWAY_SECRET))).serverMetadata()
  const endpoints = Object.keys(named).filter((name) => /_endpoint$|^jwks_uri$/.test(name)).sort()
  assert.deepEqual(endpoints, ['authorization_endpoint', 'end_session_endpoint', 'introspection_endpoint', 'jwks_uri', 'revocation_endpoint', 'token_endpoint', 'userinfo_endpoint'])
  assert.deepEqual([...named.grant_types_supported].sort(), ['authorization_code', 'client_credentials', 'refresh_token'])
  assert.deepEqual([...named.token_endpoint_auth_methods_supported].sort(), ['client_secret_basic', 'client_secret_post', 'none'])
  assert.equal(named.backchannel_logout_supported, true)
  assert.equal(named.authorization_response_iss_parameter_supported, true)
})

for (const [method, id, auth, parameters] of [
  ['client_secret_basic', 'gateway', () => client.ClientSecretBasic(GATEWAY_SECRET), {}],
  ['client_secret_post', 'gateway', () => client.ClientSecretPost(GATEWAY_SECRET), {}],
  ['none', 'pocket', () => client.None(), { redirect_uri: 'https://pocket.test/callback', scope: 'openid profile email offline_access serein.user.read' }],
]) {
  test(`code with PKCE, userinfo, refresh and revocation, by ${method}`, async () => {
    const config = await discover(id, auth())
    const tokens = await signIn(config, new Browser(), parameters)
    const { sub, sid, email } = tokens.claims()
    assert.ok(sid)
    const info = await client.fetchUserInfo(config, tokens.access_token, sub)
    assert.equal(info.email, email)
    assert.equal(info.preferred_username, LOGIN)
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token)
    assert.equal(renewed.claims().sub, sub)
    assert.notEqual(renewed.refresh_token, tokens.refresh_token)
    if (method !== 'none') {
      assert.equal((await client.tokenIntrospection(config, renewed.access_token)).active, true)
      assert.equal((await client.tokenIntrospection(config, renewed.refresh_token)).sub, sub)
    }
    await client.tokenRevocation(config, renewed.refresh_token)
    await assert.rejects(client.refreshTokenGrant(config, renewed.refresh_token), { error: 'invalid_grant' })
    if (method !== 'none') assert.equal((await client.tokenIntrospection(config, renewed.access_token)).active, false)
    await assert.rejects(client.fetchUserInfo(config, renewed.access_token, sub))
  })
}

test('client credentials, and an introspection of somebody else’s token', async () => {
  const config = await discover('reporter', client.ClientSecretBasic(SERVICE_SECRET))
  const own = await client.clientCredentialsGrant(config, { scope: 'billing.ledger.read' })
  assert.equal(own.scope, 'billing.ledger.read')
  const found = await client.tokenIntrospection(config, own.access_token)
  assert.deepEqual([found.active, found.client_id, found.scope], [true, 'reporter', 'billing.ledger.read'])
  const member = await signIn(await discover('gateway', client.ClientSecretBasic(GATEWAY_SECRET)), new Browser())
  assert.deepEqual(await client.tokenIntrospection(config, member.access_token), { active: false })
  await assert.rejects(client.clientCredentialsGrant(config, { scope: 'billing.everything' }), { error: 'invalid_scope' })
})

test('a second sign-in is silent, and says when the password was given', async () => {
  const config = await discover('gateway', client.ClientSecretBasic(GATEWAY_SECRET))
  const browser = new Browser()
  const first = await signIn(config, browser, { max_age: '600' }, { maxAge: 600 })
  const second = await signIn(config, browser, { prompt: 'none', id_token_hint: first.id_token })
  assert.equal(second.claims().sid, first.claims().sid)
  assert.equal(second.claims().auth_time, first.claims().auth_time)
  await assert.rejects(signIn(config, new Browser(), { prompt: 'none' }), { error: 'login_required' })
})

test('a sign-out comes back with its state, ends the tokens, and the back channel notifies the client', async () => {
  const config = await discover('gateway', client.ClientSecretBasic(GATEWAY_SECRET))
  const browser = new Browser()
  const tokens = await signIn(config, browser)
  const heard = once(told, 'request')
  const out = client.buildEndSessionUrl(config, { post_logout_redirect_uri: 'https://app.test/', id_token_hint: tokens.id_token, state: 'state-2' })
  const { left } = await browser.go(out)
  assert.equal(left.href, 'https://app.test/?state=state-2')
  await assert.rejects(client.refreshTokenGrant(config, tokens.refresh_token), { error: 'invalid_grant' })
  const [request, answer] = await heard
  let body = ''
  for await (const chunk of request) body += chunk
  answer.end()
  const { payload } = await jwtVerify(new URLSearchParams(body).get('logout_token'), createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri)), {
    issuer: ISSUER, audience: 'gateway', typ: 'logout+jwt', requiredClaims: ['iat', 'exp', 'jti', 'events'],
  })
  assert.equal(payload.sid, tokens.claims().sid)
  assert.equal(payload.sub, tokens.claims().sub)
  assert.deepEqual(payload.events, { 'http://schemas.openid.net/event/backchannel-logout': {} })
  assert.equal(payload.nonce, undefined)
})
