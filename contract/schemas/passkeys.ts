// Passkeys (WebAuthn, level 3): what an authenticator answers, and what is stored about it.
import * as v from 'valibot'
import { validationMessages as messages } from '../text/messages.ts'
import { Id, ReadInstant, maybe } from './fields.ts'

const Encoded = v.pipe(
  v.string(messages.text),
  v.maxLength(20_000, messages.maxCharacters(20_000)),
  v.regex(/^[\w-]*$/, messages.text),
)
/** At most 1,023 bytes (WebAuthn, 4 Terminology, credential ID). */
const CredentialId = v.pipe(Encoded, v.maxLength(1_364, messages.maxCharacters(1_364)))
const CREDENTIAL = {
  id: v.pipe(CredentialId, v.minLength(1, messages.notEmpty)),
  rawId: CredentialId,
  type: v.literal('public-key'),
}

/** The answer of an authenticator that has made a passkey (`RegistrationResponseJSON`). */
export const PasskeyRegistration = v.object({
  ...CREDENTIAL,
  response: v.object({
    clientDataJSON: Encoded,
    attestationObject: Encoded,
    transports: v.optional(
      v.pipe(v.array(v.string()), v.maxLength(20, messages.maxItems(20, 'transports'))),
    ),
  }),
  clientExtensionResults: v.optional(v.object({}), {}),
})
export type PasskeyRegistration = v.InferOutput<typeof PasskeyRegistration>

/** The answer of an authenticator that signs in (`AuthenticationResponseJSON`). */
export const PasskeyAssertion = v.object({
  ...CREDENTIAL,
  response: v.object({
    clientDataJSON: Encoded,
    authenticatorData: Encoded,
    signature: Encoded,
    userHandle: v.optional(Encoded),
  }),
  clientExtensionResults: v.optional(v.object({}), {}),
})
export type PasskeyAssertion = v.InferOutput<typeof PasskeyAssertion>

/** What a browser needs to sign in: a challenge, and the host for which passkeys were made. */
export const PasskeyRequest = v.object({ challenge: v.string(), rp_id: v.string() })

/** What a browser needs to make a passkey. */
export const PasskeyOffer = v.object({
  ...PasskeyRequest.entries,
  /** The user's id for authenticators, base64url. */
  user_handle: v.string(),
  /** Passkeys that the user has: an authenticator makes no second one. */
  exclude: v.array(v.string()),
})

/** A passkey of the user. */
export const Passkey = v.object({
  id: Id,
  /** The browser and device on which it was made. */
  name: v.string(),
  created_at: ReadInstant,
  last_used_at: maybe(ReadInstant),
})
export type Passkey = v.InferOutput<typeof Passkey>
