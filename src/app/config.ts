// The runtime configuration: one build serves every environment. The last one that arrived is kept,
// so that a start without a network has it.
import * as v from 'valibot'
import { Config } from '../../contract/config.ts'
import { cacheConfig, cachedConfig } from '../features/session/configuration.ts'
import { keepPolicy } from './kept-policy.ts'

/** Until a server was asked, nothing is configured. */
const UNTIL_ASKED = v.parse(Config, { clientId: '', clientSecret: '' })

let asked: Promise<void> | undefined

/** The configuration as far as it is known. */
export const config = (): Config => ({ ...UNTIL_ASKED, ...cachedConfig.get() })

/** The configuration, once a server has told it for the first time on this device. */
export async function configured(): Promise<Config> {
  if (config().clientId === '') await (asked ??= ask())
  return config()
}

let started: Promise<Config> | undefined

/** What the server says at this start, asked once; without an answer the last one that it told. */
export const configAtStart = (): Promise<Config> => (started ??= (asked ??= ask()).then(config))

async function ask(): Promise<void> {
  try {
    const answer = await fetch('/config.json', { signal: AbortSignal.timeout(10_000) })
    const read = v.safeParse(Config, await answer.json())
    if (!answer.ok || !read.success) return
    cacheConfig(read.output)
    await keepPolicy(answer.headers.get('Content-Security-Policy'))
  } catch {
    // No network, or a captive portal: nothing is lost.
  } finally {
    asked = undefined
  }
}
