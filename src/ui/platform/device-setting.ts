// A setting of the device with a few values, which all its tabs follow.
import { useSyncExternalStore } from 'react'

export interface DeviceSetting<Value extends string> {
  /** The value, also when it changes in another tab. */
  useValue: () => Value
  /** Stores the value and applies it in all tabs; where storage is blocked, nothing changes. */
  choose: (value: Value) => void
}

/** The setting stored under `key`; `preset` until a value is chosen. */
export function deviceSetting<Value extends string>(
  key: string,
  values: readonly Value[],
  preset: Value,
): DeviceSetting<Value> {
  // Events of storage arrive in the other tabs only.
  const changed = `${key}change`
  const read = () => {
    const stored = localStorage.getItem(key)
    return values.find((value) => value === stored) ?? preset
  }
  const subscribe = (listener: () => void) => {
    for (const type of [changed, 'storage']) window.addEventListener(type, listener)
    return () => {
      for (const type of [changed, 'storage']) window.removeEventListener(type, listener)
    }
  }
  return {
    useValue: () => useSyncExternalStore(subscribe, read),
    choose(value) {
      try {
        localStorage.setItem(key, value)
      } catch {
        return
      }
      window.dispatchEvent(new Event(changed))
    },
  }
}
