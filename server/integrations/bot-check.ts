// Whether a person or a program fills in a form: reCAPTCHA v3, which gives each attempt a score.
import * as v from 'valibot'
import type { BotCheckedAction } from '../../contract/schemas/config.ts'
import { errorFields, log } from '../log.ts'
import { invalid } from '../errors/http-error.ts'

/**
 * Checks the token that came with a form. Throws a 422 Refusal at `captcha_token` when there is none, or
 * it was not made for this form, or by a program. Lets through when the check itself does not work.
 */
export type BotCheck = (token: string | undefined, action: BotCheckedAction) => Promise<void>

const REQUEST_TIMEOUT_MS = 3_000
/** What is wrong with what we asked, not with the token. */
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

export function createBotCheck(options: {
  secret: string
  threshold: number
  url: string
}): BotCheck {
  const { secret, threshold, url } = options

  /** Undefined when there is no verdict to be had. */
  async function requestVerdict(
    response: string,
  ): Promise<v.InferOutput<typeof Verdict> | undefined> {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        // Where the caller is stays with us.
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
