import { Link } from 'react-router'
import { buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'

interface NoMatchProps {
  messages: { noMatchTitle: string; noMatch: string; clear: string }
  /** The search part of the address without filters. */
  clearedSearch: string
}

/** What a list shows if no record matches, with a link that clears the filters. */
export function NoMatch({ messages, clearedSearch }: NoMatchProps) {
  return (
    <Empty
      scene="clear"
      title={messages.noMatchTitle}
      action={
        <Link to={{ search: clearedSearch }} replace className={buttonClass()}>
          {messages.clear}
        </Link>
      }
    >
      {messages.noMatch}
    </Empty>
  )
}
