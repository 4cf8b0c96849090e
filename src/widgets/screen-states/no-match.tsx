import { Link } from 'react-router'
import { buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'

/** What a list shows if no record matches, with a link that clears the filters. */
export function NoMatch({
  messages,
}: {
  messages: { noMatchTitle: string; noMatch: string; clear: string }
}) {
  return (
    <Empty
      scene="clear"
      title={messages.noMatchTitle}
      action={
        <Link to={{ search: '' }} replace className={buttonClass()}>
          {messages.clear}
        </Link>
      }
    >
      {messages.noMatch}
    </Empty>
  )
}
