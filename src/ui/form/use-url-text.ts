import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

/** After the last key: one keystroke is no navigation. Milliseconds. */
const DEBOUNCE_MS = 300

/**
 * The text of a line that also stands in the URL, and what takes what is typed. It is shown at once and
 * told to the URL by `tell` a moment after the last key. The router takes its time to come round to that,
 * and what is typed meanwhile counts; a link or the back button that changes the URL counts more.
 */
export function useUrlText(
  inUrl: string,
  writeToUrl: (text: string) => void,
): [text: string, type: (text: string) => void] {
  const [typed, setTyped] = useState<string>()
  /** What the URL was told and the router has not come round to. */
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
  useEffect(() => {
    if (typed === undefined) return undefined
    const timer = setTimeout(() => rest(typed), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed])

  return [typed ?? inUrl, setTyped]
}

/**
 * The search parameters as the URL has them by now, which the router may not have come round to: whoever
 * changes one keeps the others.
 */
export const paramsInUrl = (): URLSearchParams => new URLSearchParams(location.search)
