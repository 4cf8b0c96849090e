// Bot check by reCAPTCHA v3, if a key is configured; loaded when the user starts to type. It never
// blocks: without a token the form is sent as it is, and the server decides.
import { useRef, type ReactNode } from 'react'
import type { BotCheckedAction } from '../../../contract/schemas/config.ts'
import { useConfiguration } from './cached-config.ts'
import { accountMessages as messages } from './registration/account-messages.ts'
import './bot-check.css'

/** How long a form waits for its token. */
const SCRIPT_TIMEOUT_MS = 5_000

interface Grecaptcha {
  ready(then: () => void): void
  execute(key: string, options: { action: string }): Promise<string>
}

let fetched: Promise<Grecaptcha> | undefined

/** Loads the script once per page; retried after a failure. */
function fetchScript(url: string, key: string): Promise<Grecaptcha> {
  fetched ??= new Promise<Grecaptcha>((resolve, reject) => {
    const script = document.createElement('script')
    script.addEventListener('load', () => {
      const { grecaptcha } = window as { grecaptcha?: Grecaptcha }
      if (grecaptcha) grecaptcha.ready(() => resolve(grecaptcha))
      else reject(new Error('Something else came in its place.'))
    })
    script.addEventListener('error', () => {
      script.remove()
      reject(new Error('Its script could not be had.'))
    })
    const src = new URL(url)
    src.searchParams.set('render', key)
    script.src = src.href
    document.head.append(script)
  }).catch((error: unknown) => {
    fetched = undefined
    throw error
  })
  return fetched
}

/** The bot check of one form. */
interface BotCheck {
  /** Called when the user starts to fill in the form. */
  begin: () => void
  /** The fields to send with the form; empty without a check, or if it fails. */
  token: () => Promise<{ captcha_token?: string }>
  /** The notice that Google requires, if there is a check. */
  notice: ReactNode
}

/** The bot check for a form; `action` names the form to the server. */
export function useBotCheck(action: BotCheckedAction): BotCheck {
  const { recaptchaKey: key, recaptchaScriptUrl: url } = useConfiguration()
  const isStarted = useRef(false)
  if (!key || !url)
    return { begin: () => undefined, token: () => Promise.resolve({}), notice: null }

  const ask = async () => ({
    captcha_token: await (await fetchScript(url, key)).execute(key, { action }),
  })
  return {
    begin: () => {
      if (isStarted.current) return
      isStarted.current = true
      void fetchScript(url, key).catch(() => undefined)
    },
    token: () =>
      Promise.race([
        ask().catch(() => ({})),
        new Promise<object>((resolve) => setTimeout(resolve, SCRIPT_TIMEOUT_MS, {})),
      ]),
    notice: (
      <p className="mt-5 text-xs text-pretty text-ink-muted">
        {messages.checkedBy}{' '}
        {messages.checkedLinks.map(({ name, href }) => (
          <a
            key={href}
            href={href}
            target="_blank"
            rel="noreferrer"
            className="me-2 underline underline-offset-2"
          >
            {name}
          </a>
        ))}
      </p>
    ),
  }
}
