import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

/** Delay after the last key: a keystroke must not be a navigation. */
const DEBOUNCE_MS = 300

/**
 * The text of a field that is also stored in the URL, and its setter. The field updates at once;
 * `writeToUrl` is called shortly after the last key. The router applies the change later; text typed
 * meanwhile wins over it, while a link or the back button that changes the URL wins over typed text.
 */
export function useUrlText(
  inUrl: string,
  writeToUrl: (text: string) => void,
): [text: string, type: (text: string) => void] {
  const [typed, setTyped] = useState<string>()
  /** Texts written to the URL that the router has not applied yet. */
  const sentToUrl = useRef<readonly string[]>([])

  useLayoutEffect(() => {
    const at = sentToUrl.current.lastIndexOf(inUrl)
    sentToUrl.current = at === -1 ? [] : sentToUrl.current.slice(at + 1)
    if (at === -1) setTyped(undefined)
  }, [inUrl])

  const rest = useEffectEvent((text: string) => {
    if (text === (sentToUrl.current.at(-1) ?? inUrl)) return
    sentToUrl.current = [...sentToUrl.current, text]
    writeToUrl(text)
  })
  /** Writes what waits, once its field is removed; undefined if nothing does. */
  const write = useRef<() => void>(undefined)
  useEffect(() => {
    write.current = undefined
    if (typed === undefined) return undefined
    const { pathname, search } = location
    const timer = setTimeout(() => {
      write.current = undefined
      // A link was followed, and its screen is still being loaded: writing would go back.
      if (location.pathname === pathname) rest(typed)
    }, DEBOUNCE_MS)
    write.current = () => {
      // Any other change of the address has led to another screen.
      if (location.pathname === pathname && location.search === search) rest(typed)
    }
    return () => clearTimeout(timer)
  }, [typed])
  // The screen can get another layout, without the field, before the text is written.
  useEffect(() => () => write.current?.(), [])

  return [typed ?? inUrl, setTyped]
}

/**
 * The current search parameters. The router may not have applied a recent change yet, so code that
 * changes one parameter must start from these.
 */
export const paramsInUrl = (): URLSearchParams => new URLSearchParams(location.search)
