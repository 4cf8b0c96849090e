// Endpoints for a user's address, password and sign-ins.
import { endpoint, list, none, one, raw } from '../endpoint.ts'
import { anyOf, listQuery } from '../list-query.ts'
import { LinkToken } from '../schemas/invites.ts'
import { OwnData } from '../schemas/own-data.ts'
import { Passkey, PasskeyOffer, PasskeyRegistration, PasskeyRequest } from '../schemas/passkeys.ts'
import {
  LinkedSignIn,
  PasswordChange,
  Reauthentication,
  SIGN_IN_STATES,
  SignIn,
  TokenRevocation,
  User,
} from '../schemas/people.ts'

export const securityEndpoints = {
  /** Confirms the password, for changes that need a fresh sign-in. */
  reauthenticate: endpoint({
    capability: 'reauthentication',
    method: 'POST',
    path: '/api/v1/reauthenticate',
    body: Reauthentication,
    answer: none,
    status: 204,
    who: 'user',
    offline: 'online',
  }),
  changePassword: endpoint({
    capability: 'password',
    method: 'PUT',
    path: '/api/v1/password',
    body: PasswordChange,
    answer: none,
    status: 204,
    who: 'user',
    offline: 'online',
  }),
  /** Sends again the link that proves the new address or, if there is none, the present one while it is unproven. */
  sendEmailLink: endpoint({
    capability: 'email-links',
    method: 'POST',
    path: '/api/v1/email-link',
    answer: none,
    status: 202,
    who: 'user',
    offline: 'online',
  }),
  confirmEmail: endpoint({
    capability: 'email-links',
    method: 'POST',
    path: '/api/v1/confirm-email',
    body: LinkToken,
    answer: one(User),
    who: 'user',
    offline: 'online',
  }),
  listSignIns: endpoint({
    capability: 'sign-ins',
    method: 'GET',
    path: '/api/v1/sign-ins',
    query: listQuery(['last_used_at', 'created_at'], { states: anyOf(SIGN_IN_STATES) }),
    answer: list(SignIn),
    who: 'user',
    offline: 'online',
  }),
  endSignIn: endpoint({
    capability: 'sign-ins',
    method: 'DELETE',
    path: '/api/v1/sign-ins/{id}',
    answer: none,
    status: 204,
    who: 'user',
    offline: 'online',
  }),
  /** Ends a sign-in, and has its device delete its data at the next contact. Unsent changes stay there, sealed. */
  reportLostDevice: endpoint({
    capability: 'sign-ins',
    method: 'POST',
    path: '/api/v1/sign-ins/{id}/lost',
    answer: none,
    status: 204,
    who: 'user',
    offline: 'online',
  }),
  /** Ends all sign-ins but the one of this request. */
  endOtherSignIns: endpoint({
    capability: 'sign-ins',
    method: 'DELETE',
    path: '/api/v1/sign-ins',
    answer: none,
    status: 204,
    who: 'user',
    offline: 'online',
  }),
  listLinkedSignIns: endpoint({
    capability: 'linked-sign-ins',
    method: 'GET',
    path: '/api/v1/linked-sign-ins',
    query: listQuery(['created_at'], {}),
    answer: list(LinkedSignIn),
    who: 'user',
    offline: 'online',
  }),
  /** Never the last way into the account. */
  deleteLinkedSignIn: endpoint({
    capability: 'linked-sign-ins',
    method: 'DELETE',
    path: '/api/v1/linked-sign-ins/{id}',
    answer: none,
    status: 204,
    who: 'user',
    offline: 'online',
  }),
  /** Asks for what a browser needs to sign in with a passkey. */
  startPasskeySignIn: endpoint({
    capability: 'passkeys',
    method: 'POST',
    path: '/api/v1/passkey-sign-in',
    answer: raw(PasskeyRequest),
    who: 'anyone',
    offline: 'online',
  }),
  /** Asks for what a browser needs to make a passkey. */
  offerPasskey: endpoint({
    capability: 'passkeys',
    method: 'POST',
    path: '/api/v1/passkey-offer',
    answer: raw(PasskeyOffer),
    who: 'user',
    offline: 'online',
  }),
  listPasskeys: endpoint({
    capability: 'passkeys',
    method: 'GET',
    path: '/api/v1/passkeys',
    query: listQuery(['created_at'], {}),
    answer: list(Passkey),
    who: 'user',
    offline: 'online',
  }),
  createPasskey: endpoint({
    capability: 'passkeys',
    method: 'POST',
    path: '/api/v1/passkeys',
    body: PasskeyRegistration,
    answer: one(Passkey),
    status: 201,
    who: 'user',
    offline: 'online',
  }),
  /** Never the last way into the account. */
  deletePasskey: endpoint({
    capability: 'passkeys',
    method: 'DELETE',
    path: '/api/v1/passkeys/{id}',
    answer: none,
    status: 204,
    who: 'user',
    offline: 'online',
  }),
  getOwnData: endpoint({
    capability: 'account',
    method: 'GET',
    path: '/api/v1/own-data',
    answer: raw(OwnData),
    who: 'user',
    offline: 'online',
  }),
  /** Deletes the account. Not while its user owns an organisation. */
  deleteUserinfo: endpoint({
    capability: 'account',
    method: 'DELETE',
    path: '/api/v1/userinfo',
    answer: none,
    status: 204,
    who: 'user',
    offline: 'online',
  }),
  /** Ends the session of a refresh token (as RFC 7009) or of its revocation secret. Needs no access token. */
  revokeSession: endpoint({
    capability: 'revoke',
    method: 'POST',
    path: '/api/v1/revoke',
    body: TokenRevocation,
    answer: none,
    status: 204,
    who: 'anyone',
    offline: 'online',
  }),
} as const
