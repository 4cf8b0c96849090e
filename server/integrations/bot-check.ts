// The bot check of public forms: reCAPTCHA v3, which gives each attempt a score from 0 to 1.
import * as v from 'valibot'
import type { BotCheckedAction } from '../../contract/schemas/config.ts'
import { errorFields, log } from '../log.ts'
import { invalid } from '../errors/http-error.ts'

/**
 * Checks the token of a form. Throws a 422 HttpError on `captcha_token` when the token is missing, was issued
 * for another form, or has a score below the threshold. Passes when the verifier cannot be reached.
 */
export type BotCheck = (token: string | undefined, action: BotCheckedAction) => Promise<void>

const REQUEST_TIMEOUT_MS = 3_000
/** Error codes that mean a wrong configuration, not a wrong token. */
const OUR_ERROR_CODES = [
  'missing-input-secret',
  'invalid-input-secret',
  'bad-request',
  'invalid-keys',
]

const Verdict = v.object({
  success: v.boolean(),
  score: v.optional(v.number(), 0),
  action: v.optional(v.string()),
  'error-codes': v.optional(v.array(v.string()), []),
})

/** `url`: the verification endpoint. `threshold`: the lowest score that passes, 0 to 1. */
export function createBotCheck(options: {
  secret: string
  threshold: number
  url: string
}): BotCheck {
  const { secret, threshold, url } = options

  /** Undefined when the verifier cannot be reached or is misconfigured. */
  async function requestVerdict(
    response: string,
  ): Promise<v.InferOutput<typeof Verdict> | undefined> {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        // The caller's network address is not passed on.
        body: new URLSearchParams({ secret, response }),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        redirect: 'error',
      })
      const verdict = v.parse(Verdict, await answer.json())
      const misconfiguration = verdict['error-codes'].find((code) => OUR_ERROR_CODES.includes(code))
      if (misconfiguration === undefined) return verdict
      log('error', 'bot check misconfigured', { code: misconfiguration })
    } catch (error) {
      log('error', 'bot check unreachable', errorFields(error))
    }
    return undefined
  }

  return async (token, action) => {
    const rejection = invalid({
      captcha_token: ['We could not tell that you are a person. Please reload and try again.'],
    })
    if (!token) throw rejection
    const verdict = await requestVerdict(token)
    if (!verdict) return
    const isPerson = verdict.success && verdict.action === action && verdict.score >= threshold
    if (!isPerson) throw rejection
  }
}
