import { useReadReport } from '../../sync/react/use-sync.ts'
import { unreadLines } from './unread-lines.ts'
import { unreadMessages as messages } from './unread-messages.ts'

/** What of the active organisation could not be read, said once for each field. */
export function UnreadNotice() {
  const lines = unreadLines(useReadReport())
  if (lines.length === 0) return null
  return (
    <section className="border-t border-line py-4 text-sm" aria-label={messages.title}>
      <h3 className="font-semibold">{messages.title}</h3>
      <p className="mt-1 text-ink-muted">{messages.lead}</p>
      <ul className="mt-2 list-disc ps-5">
        {lines.map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
    </section>
  )
}
