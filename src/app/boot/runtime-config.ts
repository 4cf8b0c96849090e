// The runtime configuration: one build serves every environment. The last response is cached, so that
// an offline start has it.
import * as v from 'valibot'
import { Config } from '../../../contract/schemas/config.ts'
import { cacheConfig, cachedConfig } from '../../features/session/cached-config.ts'
import { CONFIG_PATH, storeConfig } from '../../sync/browser/stored-config.ts'

/** Used until the server has answered once. */
const EMPTY_CONFIG = v.parse(Config, { clientId: '', clientSecret: '' })

let pendingRequest: Promise<void> | undefined

/** The configuration as currently known; empty values for what is not known. */
export const config = (): Config => ({ ...EMPTY_CONFIG, ...cachedConfig.get() })

/** The configuration, after waiting for the first response if this device has none yet. */
export async function requireConfig(): Promise<Config> {
  if (config().clientId === '') await (pendingRequest ??= fetchConfig())
  return config()
}

let startupConfig: Promise<Config> | undefined

/** Requests the configuration once per start. Falls back to the cached one without a network. */
export const loadStartupConfig = (): Promise<Config> =>
  (startupConfig ??= (pendingRequest ??= fetchConfig()).then(config))

async function fetchConfig(): Promise<void> {
  try {
    const answer = await fetch(CONFIG_PATH, { signal: AbortSignal.timeout(10_000) })
    const given: unknown = await answer.json()
    if (!answer.ok) return
    const read = await readConfig(given)
    if (!read) return
    // Not awaited: a Cache Storage may never answer.
    for (const stored of [storeConfig(read), updateCachedCsp(answer.headers.get(CSP_HEADER))])
      void stored.catch(() => undefined)
    cacheConfig(read)
  } catch {
    // No network, or a captive portal: keep the cached configuration.
  } finally {
    pendingRequest = undefined
  }
}

/** A value in another form is converted or left out, with a message in the console for the operator. */
async function readConfig(given: unknown): Promise<Config | undefined> {
  const plain = v.safeParse(Config, given)
  if (plain.success) return plain.output
  const { readRecords } = await import('../../../contract/schemas/read-records.ts')
  const read = readRecords(Config, given, 0)
  const paths = read.ok
    ? read.unread?.map(({ path }) => path)
    : plain.issues.map((issue) => v.getDotPath(issue) ?? '')
  if (paths) console.error('Values of config.json that cannot be read:', paths.join(', '))
  return read.ok ? (read.value as Config) : undefined
}

const PAGE_PATH = '/index.html'
const CSP_HEADER = 'Content-Security-Policy'

/**
 * Rewrites the content security policy of the cached page, effective from the next load. The service
 * worker serves that page with the headers it was fetched with, so origins configured since then would
 * be blocked on every installed device. `null`: the server sends no policy, so nothing changes.
 */
async function updateCachedCsp(policy: string | null): Promise<void> {
  if (policy === null) return
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    const [key] = await cache.keys(PAGE_PATH, { ignoreSearch: true })
    const page = key && (await cache.match(key))
    if (!page || page.headers.get(CSP_HEADER) === policy) continue
    const headers = new Headers(page.headers)
    headers.set(CSP_HEADER, policy)
    await cache.put(key, new Response(page.body, { headers }))
  }
}
