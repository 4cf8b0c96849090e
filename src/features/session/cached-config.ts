// What the server told of its environment, for whoever has to know at once: it is kept on the device, so
// that a start without a network has it. `app/config.ts` asks the server, and checks what it says.
import { useSyncExternalStore } from 'react'
import type { Config } from '../../../contract/schemas/config.ts'
import { Observable } from '../../sync/core/observable.ts'

const KEY = 'config'

/** What was told last; empty on a device that was never told anything. */
export const cachedConfig = new Observable<Partial<Config>>(readCachedConfig())

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

/** Keeps what the server has told. Where storage is full it is known until the page is gone. */
export function cacheConfig(config: Config): void {
  const text = JSON.stringify(config)
  if (text === JSON.stringify(cachedConfig.get())) return
  cachedConfig.set(config)
  localStorage.setItem(KEY, text)
}
