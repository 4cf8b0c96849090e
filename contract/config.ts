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
  sentryDsn: maybe(v.string()),
  sentryOrg: maybe(v.string()),
  sentryProjectId: maybe(v.string()),
  googleClientId: maybe(v.string()),
  vapidPublicKey: maybe(v.string()),
  redirects: v.optional(
    v.array(
      v.object({ from: v.string(), to: v.string(), external: v.optional(v.boolean(), false) }),
    ),
    [],
  ),
})
export type Config = v.InferOutput<typeof Config>
