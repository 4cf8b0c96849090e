// The runtime configuration: one build serves every environment. The last one that arrived is kept,
// so that a start without a network has it.
import * as v from 'valibot'
import { Config } from '../../contract/config.ts'

const KEY = 'config'

/** Until a server was asked, nothing is configured. */
const UNTIL_ASKED = v.parse(Config, { clientId: '', clientSecret: '' })

let known: Config | undefined
let asked: Promise<void> | undefined

/** The configuration as far as it is known. */
export function config(): Config {
  return (known ??= kept()) ?? UNTIL_ASKED
}

/** The configuration, once a server has told it for the first time on this device. */
export async function configured(): Promise<Config> {
  if (config() === UNTIL_ASKED) await (asked ??= ask())
  return config()
}

function kept(): Config | undefined {
  try {
    const read = v.safeParse(Config, JSON.parse(localStorage.getItem(KEY) ?? 'null'))
    return read.success ? read.output : undefined
  } catch {
    return undefined
  }
}

/** Asks the server at start; without an answer the last one goes on, and the next need asks again. */
export async function loadConfig(): Promise<void> {
  asked ??= ask()
  await asked
}

async function ask(): Promise<void> {
  try {
    const answer = await fetch('/config.json', { signal: AbortSignal.timeout(10_000) })
    const read = v.safeParse(Config, await answer.json())
    if (!answer.ok || !read.success) return
    known = read.output
    localStorage.setItem(KEY, JSON.stringify(known))
  } catch {
    // No network, or a captive portal: nothing is lost.
  } finally {
    asked = undefined
  }
}
