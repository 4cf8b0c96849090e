import { lazy, Suspense, type ReactNode } from 'react'

const NoMatch = lazy(async () => ({ default: (await import('./no-match.tsx')).NoMatch }))

interface FilteredListProps {
  /** Number of records that match the filters. */
  shown: number
  /** Number of all records. */
  all: number
  messages: {
    shown: (shown: number, all: number) => string
    noMatchTitle: string
    noMatch: string
    clear: string
  }
  /** The search part of the address without filters; empty by default. */
  clearedSearch?: string
  /** The list of the matching records. */
  children: ReactNode
}

/** A list with its number of matches, or an empty state with a link that clears the filters. */
export function FilteredList(props: FilteredListProps) {
  const { shown, all, messages, clearedSearch = '', children } = props
  return (
    <>
      <output
        className={shown === all ? 'sr-only' : 'mb-2 block text-sm text-ink-faint tabular-nums'}
      >
        {messages.shown(shown, all)}
      </output>
      {shown === 0 ? (
        <Suspense>
          <NoMatch messages={messages} clearedSearch={clearedSearch} />
        </Suspense>
      ) : (
        children
      )}
    </>
  )
}
