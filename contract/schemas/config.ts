// Runtime configuration of the app, from `/config.json`.
import * as v from 'valibot'
import { maybe } from './fields.ts'

/** Who may register: anyone, the invited, or no one. */
export const REGISTRATION_MODES = ['open', 'invited', 'closed'] as const
export type RegistrationMode = (typeof REGISTRATION_MODES)[number]

export const Config = v.object({
  apiBaseUrl: v.optional(v.string(), ''),
  /** Earlier addresses of the same server: what waits for one of them is sent to `apiBaseUrl`. */
  formerApiBaseUrls: v.optional(v.array(v.string())),
  /** What the server can do, for one that cannot send the header; in the form of its value. */
  capabilities: maybe(
    v.union([
      v.string(),
      v.pipe(
        v.array(v.string()),
        v.transform((names) => names.join(', ')),
      ),
    ]),
  ),
  clientId: v.string(),
  /** Not confidential: the app is a public OAuth client. */
  clientSecret: v.optional(v.string(), ''),
  environment: v.optional(v.string(), 'production'),
  posthogPublicKey: maybe(v.string()),
  posthogHost: maybe(v.string()),
  recaptchaKey: maybe(v.string()),
  /** URL of the bot check's script; null if the bot check is off. */
  recaptchaScriptUrl: maybe(v.string()),
  sentryDsn: maybe(v.string()),
  sentryOrg: maybe(v.string()),
  sentryProjectId: maybe(v.string()),
  googleClientId: maybe(v.string()),
  /** Authorization URL for signing in with Google; null if that is off. */
  googleAuthorizationUrl: maybe(v.string()),
  /** Name of another OpenID Connect issuer that signs users in; null if there is none. */
  oidcName: maybe(v.string()),
  vapidPublicKey: maybe(v.string()),
  registration: v.optional(v.picklist(REGISTRATION_MODES), 'open'),
  /** `folder`: the server writes mails to a folder and sends none. */
  mail: v.optional(v.picklist(['sent', 'folder']), 'sent'),
  /** The price of Professional as it is shown; null: none is. */
  professionalPrice: maybe(v.string()),
  redirects: v.optional(
    v.array(
      v.object({ from: v.string(), to: v.string(), external: v.optional(v.boolean(), false) }),
    ),
    [],
  ),
})
export type Config = v.InferOutput<typeof Config>

/** Action names that the app sends to the bot check, one per guarded form. */
export type BotCheckedAction = 'register' | 'forgot_password'
