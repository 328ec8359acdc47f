// The public SDK `@aws-sdk/client-cognito-identity-provider`, unmodified, against the sign-up API. The Go test that runs this gives
// the address, a way to read the next letter's code and a way to have an answer lost.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import test from 'node:test'
import {
  ChangePasswordCommand,
  CognitoIdentityProviderClient,
  ConfirmForgotPasswordCommand,
  ConfirmSignUpCommand,
  ForgotPasswordCommand,
  GetTokensFromRefreshTokenCommand,
  GetUserCommand,
  GlobalSignOutCommand,
  InitiateAuthCommand,
  ResendConfirmationCodeCommand,
  RevokeTokenCommand,
  SignUpCommand,
} from '@aws-sdk/client-cognito-identity-provider'

const { SIGN_UP_URL: endpoint, SIGN_UP_CLIENT_ID: ClientId, PASSWORD: Password, DESK_SECRET: secret } = process.env
const client = new CognitoIdentityProviderClient({ region: 'eu-north-1', endpoint })
const letter = async () => (await fetch(`${endpoint}/letter`)).text()
const lose = () => fetch(`${endpoint}/lose`, { method: 'POST' })

const attributes = (username) => [
  { Name: 'email', Value: `${username}@example.org` },
  { Name: 'username', Value: username },
  { Name: 'given_name', Value: 'Amara' },
  { Name: 'family_name', Value: 'Lindqvist' },
]
const signUp = (Username, change = {}) =>
  client.send(new SignUpCommand({ ClientId, Username, Password, UserAttributes: attributes(Username), ...change }))
const confirm = (Username, ConfirmationCode) => client.send(new ConfirmSignUpCommand({ ClientId, Username, ConfirmationCode }))
const resend = (Username) => client.send(new ResendConfirmationCodeCommand({ ClientId, Username }))
const other = (code) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** The call must fail with that kind; gives the error. */
const refused = async (kind, call) => {
  try {
    await call
  } catch (error) {
    assert.equal(error.name, kind)
    assert.ok(error.message)
    assert.match(error.$metadata.requestId, /^[0-9a-f-]{36}$/)
    return error
  }
  assert.fail('the call was answered')
}

test('signing up', async () => {
  const answer = await signUp('amara')
  assert.equal(answer.UserConfirmed, false)
  assert.match(answer.UserSub, /^[0-9a-f-]{36}$/)
  assert.deepEqual({ ...answer.CodeDeliveryDetails }, { AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: 'a***@e***' })
  const code = await letter()
  await refused('CodeMismatchException', confirm('amara', other(code)))
  await confirm('amara', code)
  await confirm('amara', code)
  await refused('UsernameExistsException', signUp('amara'))
})

test('a letter that is sent again', async () => {
  await signUp('nils')
  const first = await letter()
  const answer = await resend('nils')
  assert.equal(answer.CodeDeliveryDetails.DeliveryMedium, 'EMAIL')
  const code = await letter()
  if (first !== code) await refused('CodeMismatchException', confirm('nils', first))
  await confirm('nils', code)
  await resend('nobody')
})

test('what is wrong with a sign-up', async () => {
  await refused('InvalidPasswordException', signUp('maja', { Password: 'short' }))
  await refused('InvalidParameterException', signUp('maja', { UserAttributes: attributes('maja').slice(1) }))
  await refused('InvalidParameterException', signUp('maja', { UserAttributes: [...attributes('maja'), attributes('maja')[0]] }))
  await refused('InvalidParameterException', signUp('maja', { UserAttributes: [...attributes('maja'), { Name: 'custom:admin', Value: 'true' }] }))
  await refused('NotAuthorizedException', signUp('maja', { SecretHash: 'aGFzaA==' }))
  await refused('ResourceNotFoundException', signUp('maja', { ClientId: 'another' }))
  await refused('CodeMismatchException', confirm('nobody', '123456'))
})

test('an answer that was lost', async () => {
  await lose()
  const answer = await signUp('sigrid')
  assert.equal(answer.$metadata.attempts, 2)
  await lose()
  const code = await letter()
  assert.equal((await confirm('sigrid', code)).$metadata.attempts, 2)
})

/** Signs in with a password, as a client of ours that may bring it. */
const signIn = async (USERNAME, PASSWORD) => {
  const SECRET_HASH = createHmac('sha256', secret).update(`${USERNAME}desk`).digest('base64')
  const command = new InitiateAuthCommand({ ClientId: 'desk', AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME, PASSWORD, SECRET_HASH } })
  return (await client.send(command)).AuthenticationResult
}
const forgot = (Username) => client.send(new ForgotPasswordCommand({ ClientId, Username }))
const reset = (Username, ConfirmationCode, password) =>
  client.send(new ConfirmForgotPasswordCommand({ ClientId, Username, ConfirmationCode, Password: password }))
const user = (AccessToken) => client.send(new GetUserCommand({ AccessToken }))

test('a password from sign-in to sign-out', async () => {
  await signUp('freja')
  await refused('UserNotConfirmedException', signIn('freja', Password))
  await confirm('freja', await letter())
  await refused('NotAuthorizedException', signIn('freja', 'a guess of mine'))
  const first = await signIn('freja', Password)
  assert.equal(first.ExpiresIn, 900)
  assert.equal((await user(first.AccessToken)).Username, 'freja')

  const renew = { ClientId: 'desk', ClientSecret: secret, RefreshToken: first.RefreshToken }
  const { AuthenticationResult: second } = await client.send(new GetTokensFromRefreshTokenCommand(renew))
  await lose()
  await client.send(
    new ChangePasswordCommand({ AccessToken: second.AccessToken, PreviousPassword: Password, ProposedPassword: 'five more unrelated pebbles' }),
  )
  await letter()
  await client.send(new RevokeTokenCommand({ ClientId: 'desk', ClientSecret: secret, Token: second.RefreshToken }))
  await refused('NotAuthorizedException', user(second.AccessToken))

  const answer = await forgot('freja')
  assert.deepEqual(answer.CodeDeliveryDetails, (await forgot('nobody')).CodeDeliveryDetails)
  const code = await letter()
  await refused('CodeMismatchException', reset('freja', other(code), 'six other unrelated pebbles'))
  await refused('InvalidPasswordException', reset('freja', code, 'short'))
  await reset('freja', code, 'six other unrelated pebbles')
  const third = await signIn('freja', 'six other unrelated pebbles')
  await lose()
  await client.send(new GlobalSignOutCommand({ AccessToken: third.AccessToken }))
  await refused('NotAuthorizedException', user(third.AccessToken))
})

test('passwords in other hands', async () => {
  const flow = { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME: 'freja', PASSWORD: Password } }
  await refused('InvalidParameterException', client.send(new InitiateAuthCommand({ ClientId, ...flow })))
  await refused('NotAuthorizedException', client.send(new InitiateAuthCommand({ ClientId: 'desk', ...flow })))
  await refused('InvalidParameterException', client.send(new InitiateAuthCommand({ ClientId: 'desk', ...flow, AuthFlow: 'USER_SRP_AUTH' })))
})
