// The public oidc-provider, unmodified, as somebody else's provider: PORT, and CLIENT as it registers the gateway. Its person
// is always MEMBER, who signs in and agrees at once.
import Provider from 'oidc-provider'

const { PORT, CLIENT, MEMBER } = process.env
const issuer = `http://localhost:${PORT}`
let renewals = 0

const provider = new Provider(issuer, {
  clients: [JSON.parse(CLIENT)],
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: 'ada@example.org', email_verified: true, given_name: 'Ada', family_name: 'Byron', preferred_username: 'ada' }),
  }),
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name', 'preferred_username'] },
  cookies: { keys: ['a key of the test'] },
  features: {
    devInteractions: { enabled: false },
    backchannelLogout: { enabled: true },
    revocation: { enabled: true },
    rpInitiatedLogout: { enabled: true },
  },
  interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
  // Without its guard against addresses of this machine, where the gateway of the test is.
  fetch: (url, { dispatcher: _, ...options }) => fetch(url, options),
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  ttl: { AccessToken: 65, IdToken: 3600, RefreshToken: 86400, Session: 86400, Grant: 86400, Interaction: 600 },
})

provider.on('grant.success', (ctx) => {
  if (ctx.oidc.params.grant_type === 'refresh_token') renewals++
})
provider.on('backchannel.error', (_, error) => console.error('back channel:', error.message))
provider.on('server_error', (_, error) => console.error('server error:', error))
provider.on('grant.error', (_, error) => console.error('grant:', error.message))

provider.use(async (ctx, next) => {
  if (ctx.path === '/renewals') {
    ctx.body = String(renewals)
    return
  }
  if (!ctx.path.startsWith('/interaction/')) return next()
  const { prompt, params } = await provider.interactionDetails(ctx.req, ctx.res)
  const result = {}
  if (prompt.name === 'login') {
    result.login = { accountId: MEMBER }
  } else {
    const grant = new provider.Grant({ accountId: MEMBER, clientId: params.client_id })
    grant.addOIDCScope(params.scope)
    result.consent = { grantId: await grant.save() }
  }
  ctx.respond = false
  await provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: true })
})

provider.listen(Number(PORT), 'localhost')
