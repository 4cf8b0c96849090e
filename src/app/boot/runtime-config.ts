// The runtime configuration: one build serves every environment. The last one that arrived is kept,
// so that a start without a network has it.
import * as v from 'valibot'
import { Config } from '../../../contract/schemas/config.ts'
import { cacheConfig, cachedConfig } from '../../features/session/cached-config.ts'
import { updateCachedCsp } from './cached-csp.ts'

/** Until a server was asked, nothing is configured. */
const EMPTY_CONFIG = v.parse(Config, { clientId: '', clientSecret: '' })

let pendingRequest: Promise<void> | undefined

/** The configuration as far as it is known. */
export const config = (): Config => ({ ...EMPTY_CONFIG, ...cachedConfig.get() })

/** The configuration, once a server has told it for the first time on this device. */
export async function requireConfig(): Promise<Config> {
  if (config().clientId === '') await (pendingRequest ??= fetchConfig())
  return config()
}

let startupConfig: Promise<Config> | undefined

/** What the server says at this start, asked once; without an answer the last one that it told. */
export const loadStartupConfig = (): Promise<Config> =>
  (startupConfig ??= (pendingRequest ??= fetchConfig()).then(config))

async function fetchConfig(): Promise<void> {
  try {
    const answer = await fetch('/config.json', { signal: AbortSignal.timeout(10_000) })
    const read = v.safeParse(Config, await answer.json())
    if (!answer.ok || !read.success) return
    cacheConfig(read.output)
    await updateCachedCsp(answer.headers.get('Content-Security-Policy'))
  } catch {
    // No network, or a captive portal: nothing is lost.
  } finally {
    pendingRequest = undefined
  }
}
