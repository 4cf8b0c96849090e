// The configuration as the server last sent it, cached on the device for an offline start.
// `app/boot/runtime-config.ts` requests and validates it.
import { useSyncExternalStore } from 'react'
import type { Config } from '../../../contract/schemas/config.ts'
import { Observable } from '../../sync/core/observable.ts'

const KEY = 'config'

/** The last configuration; empty on a device that never received one. */
export const cachedConfig = new Observable<Partial<Config>>(readCachedConfig())

/** The cached configuration, also when it changes. */
export const useConfiguration = (): Partial<Config> =>
  useSyncExternalStore(cachedConfig.subscribe, cachedConfig.get)

function readCachedConfig(): Partial<Config> {
  try {
    const read = JSON.parse(localStorage.getItem(KEY) ?? '') as Partial<Config> | null
    return Array.isArray(read?.redirects) ? (read ?? {}) : {}
  } catch {
    return {}
  }
}

/** Caches the configuration. If storage is full it stays in memory until the page is closed. */
export function cacheConfig(config: Config): void {
  const text = JSON.stringify(config)
  if (text === JSON.stringify(cachedConfig.get())) return
  cachedConfig.set(config)
  localStorage.setItem(KEY, text)
}
