// Users, how they sign in, and their membership in organisations.
import { validationMessages as messages } from '../text/messages.ts'
import * as v from 'valibot'
import {
  EmailAddress,
  Id,
  ReadInstant,
  TimeZone,
  Uuid,
  Website,
  clearable,
  line,
  maybe,
  oneOf,
} from './fields.ts'
import { ROLES } from './invites.ts'

const WithNames = { name: v.optional(v.string(), ''), email: v.optional(v.string(), '') }

/** The specification names an id only: what a person is called then are the address or the id. */
const named = <T extends { name: string; email: string }>(id: (person: T) => string) =>
  v.transform((person: T): T => ({ ...person, name: person.name || person.email || id(person) }))

const UserFields = v.object({
  id: Id,
  ...WithNames,
  /** The new address, until the link that was sent to it is followed. */
  pending_email: maybe(v.string()),
  /** Whether the user has proven that the address is theirs. */
  email_verified: v.optional(v.boolean(), true),
  job_title: maybe(v.string()),
  phone: maybe(v.string()),
  timezone: v.optional(v.string(), 'UTC'),
  avatar_url: maybe(v.string()),
  superadmin: v.optional(v.boolean(), false),
  created_at: maybe(ReadInstant),
  updated_at: maybe(ReadInstant),
})
export const User = v.pipe(
  UserFields,
  named((user: v.InferOutput<typeof UserFields>) => user.id),
)
export type User = v.InferOutput<typeof User>

const MemberFields = v.object({
  id: Id,
  user_id: Id,
  organisation_id: maybe(Id),
  ...WithNames,
  avatar_url: maybe(v.string()),
  /** Empty if the answer does not name the role, which is then that of a member. */
  pivot: v.nullish(v.object({ role: v.nullish(v.string(), '') }), {}),
  created_at: maybe(ReadInstant),
})
/** A membership: `id` is its own, `user_id` the member's. */
export const OrganisationUser = v.pipe(
  MemberFields,
  named((member: v.InferOutput<typeof MemberFields>) => member.user_id),
)
export type OrganisationUser = v.InferOutput<typeof OrganisationUser>

/** The name of a user who was a member, for the history. It gives no access. */
export const FormerMember = v.object({
  id: Id,
  user_id: Id,
  name: v.string(),
  left_at: maybe(ReadInstant),
})
export type FormerMember = v.InferOutput<typeof FormerMember>

/** Who takes over the work of a member who leaves; without one, plans fall to the organisation's owner. */
export const Heir = v.object({ heir_id: v.optional(Uuid) })

const Password = v.pipe(
  v.string(messages.password),
  v.minLength(8, messages.passwordTooShort),
  v.maxLength(128, messages.maxCharacters(128)),
)

const NewPassword = { password: Password, password_confirmation: v.string(messages.repeatPassword) }

/** Whether the password is the email address, which is public and so easily guessed. */
export const isPasswordEmail = (password: string, email: string): boolean =>
  password.toLowerCase() === email
export const PASSWORD_IS_EMAIL = messages.passwordIsEmail

/** It is passed on to the service that checks it. */
const CaptchaToken = v.optional(
  v.pipe(v.string(), v.maxLength(4_096, messages.maxCharacters(4_096))),
)

export const Registration = v.pipe(
  v.object({
    name: line(),
    email: EmailAddress,
    ...NewPassword,
    invite_token: v.optional(v.string()),
    captcha_token: CaptchaToken,
  }),
  v.forward(
    v.partialCheck(
      [['password'], ['password_confirmation']],
      (form) => form.password === form.password_confirmation,
      messages.passwordsDiffer,
    ),
    ['password_confirmation'],
  ),
  v.forward(
    v.partialCheck(
      [['password'], ['email']],
      (form) => !isPasswordEmail(form.password, form.email),
      PASSWORD_IS_EMAIL,
    ),
    ['password'],
  ),
)

export const PasswordForgotten = v.object({
  email: EmailAddress,
  captcha_token: CaptchaToken,
})

/** The present password, before a change that could open the account to someone else. */
export const Reauthentication = v.object({ current_password: v.string(messages.password) })

/** A new password. An account that has a password needs the present one as well. */
export const PasswordChange = v.pipe(
  v.object({ current_password: v.optional(v.string(messages.password)), ...NewPassword }),
  v.forward(
    v.partialCheck(
      [['password'], ['password_confirmation']],
      (form) => form.password === form.password_confirmation,
      messages.passwordsDiffer,
    ),
    ['password_confirmation'],
  ),
)

/** The lists of sign-ins: active ones, and those of lost devices of the last 60 days. */
export const SIGN_IN_STATES = ['active', 'lost'] as const

/** What ends a session: the secret given at sign-in, or the refresh token. */
export const TokenRevocation = v.union([
  v.object({
    revocation_secret: v.string(messages.text),
    /** Of a lost device that has deleted its data: how many unsent changes wait on it. */
    unsent: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000))),
  }),
  v.object({ refresh_token: v.string(messages.text) }),
])

/** A session of the user on a device. */
export const SignIn = v.object({
  id: Id,
  /** Whether it is the session of this request. */
  is_current: v.optional(v.boolean(), false),
  /** Such as `Firefox`; null when unknown. */
  browser: maybe(v.string()),
  /** Such as `Windows`; null when unknown. */
  device: maybe(v.string()),
  /** The network address without its last part. */
  network: maybe(v.string()),
  created_at: ReadInstant,
  last_used_at: ReadInstant,
  /** When the device was reported lost; null for a sign-in that is active. */
  lost_at: maybe(ReadInstant),
  /** When the lost device deleted its data; null before its next contact. */
  cleared_at: maybe(ReadInstant),
  /** How many unsent changes wait on the lost device; null when unknown. */
  unsent: maybe(v.number()),
})
export type SignIn = v.InferOutput<typeof SignIn>

/** A provider that opens the user's account. */
export const LinkedSignIn = v.object({
  id: Id,
  /** Such as `google`. */
  provider: v.string(),
  /** The address at the provider when it was linked; null when unknown. */
  email: maybe(v.string()),
  created_at: maybe(ReadInstant),
})
export type LinkedSignIn = v.InferOutput<typeof LinkedSignIn>

/** The start of a sign-in with an OpenID Connect issuer. Each value is random and made for this sign-in. */
export const OidcRequest = v.object({
  state: v.pipe(v.string(messages.text), v.minLength(16), v.maxLength(255)),
  nonce: v.pipe(v.string(messages.text), v.minLength(16), v.maxLength(255)),
  /** SHA-256 of the verifier, base64url (RFC 7636). */
  code_challenge: v.pipe(v.string(messages.text), v.regex(/^[\w-]{43}$/, messages.base64Bytes(32))),
})

/** Where the user signs in. */
export const OidcRedirect = v.object({ authorization_url: v.string() })

export const PasswordReset = v.pipe(
  v.object({ token: v.string(messages.linkIncomplete), ...NewPassword }),
  v.forward(
    v.partialCheck(
      [['password'], ['password_confirmation']],
      (form) => form.password === form.password_confirmation,
      messages.passwordsDiffer,
    ),
    ['password_confirmation'],
  ),
)

/** A new role. The path names the user; `user_id` is for servers that read it from the body. */
export const OrganisationUserEdit = v.object({ user_id: Uuid, role: oneOf(ROLES) })

export const Profile = v.object({
  name: v.optional(line()),
  email: v.optional(EmailAddress),
  job_title: clearable(line()),
  phone: clearable(line(40)),
  timezone: v.optional(TimeZone),
  avatar_url: clearable(Website),
})

/** The token endpoint's answer (RFC 6749, section 5.1). A session needs both tokens. */
export const Tokens = v.object({
  token_type: v.optional(v.string(), 'Bearer'),
  expires_in: v.optional(v.number()),
  access_token: v.pipe(v.string(), v.minLength(1)),
  refresh_token: v.pipe(v.string(), v.minLength(1)),
  /** Sent at the next sign-in, so that wrong passwords of others do not lock this device out. */
  device_token: v.optional(v.string()),
  /** Ends this session and gives no access, so that a device can keep it after a sign-out. */
  revocation_secret: v.optional(v.string()),
})
export type Tokens = v.InferOutput<typeof Tokens>
