// The runtime configuration: one build serves every environment. The last one that arrived is kept,
// so that a start without a network has it.
import * as v from 'valibot'
import { Config } from '../../contract/config.ts'

const KEY = 'config'

/** What this app is to a server that was never asked: the reference server's public client. */
const UNTIL_ASKED = v.parse(Config, { clientId: 'cairn-web', clientSecret: 'public' })

let known: Config | undefined

/** The configuration as far as it is known. */
export function config(): Config {
  return (known ??= kept() ?? UNTIL_ASKED)
}

function kept(): Config | undefined {
  try {
    const read = v.safeParse(Config, JSON.parse(localStorage.getItem(KEY) ?? 'null'))
    return read.success ? read.output : undefined
  } catch {
    return undefined
  }
}

/** Asks the server once at start; without an answer the last one goes on. */
export async function loadConfig(): Promise<void> {
  try {
    const answer = await fetch('/config.json', { signal: AbortSignal.timeout(10_000) })
    const read = v.safeParse(Config, await answer.json())
    if (!answer.ok || !read.success) return
    known = read.output
    localStorage.setItem(KEY, JSON.stringify(known))
  } catch {
    // No network, or a captive portal: nothing is lost.
  }
}
