// What the app learns about its environment at run time, from `/config.json`.
import * as v from 'valibot'
import { maybe } from './fields.ts'

export const Config = v.object({
  apiBaseUrl: v.optional(v.string(), ''),
  clientId: v.string(),
  /** Of a public client: it identifies the app and is no secret. */
  clientSecret: v.string(),
  environment: v.optional(v.string(), 'production'),
  posthogPublicKey: maybe(v.string()),
  posthogHost: maybe(v.string()),
  recaptchaKey: maybe(v.string()),
  /** Where the script of the bot check is; null without its key. */
  recaptchaScriptUrl: maybe(v.string()),
  sentryDsn: maybe(v.string()),
  sentryOrg: maybe(v.string()),
  sentryProjectId: maybe(v.string()),
  googleClientId: maybe(v.string()),
  /** Where signing in with Google begins; null without its client. */
  googleAuthorizationUrl: maybe(v.string()),
  vapidPublicKey: maybe(v.string()),
  redirects: v.optional(
    v.array(
      v.object({ from: v.string(), to: v.string(), external: v.optional(v.boolean(), false) }),
    ),
    [],
  ),
})
export type Config = v.InferOutput<typeof Config>

/** The forms that the bot check guards, as the app names them to it. */
export type BotCheckedAction = 'register' | 'forgot_password'
