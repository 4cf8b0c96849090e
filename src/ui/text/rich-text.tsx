import { Fragment, type ReactNode } from 'react'
import { uiMessages } from '../messages.ts'
import { blocksOf, partsOf, type Block as TextBlock, type Part } from './markup.ts'

/**
 * User text with minimal markup: `**bold**`, `*italic*`, `` `code` ``, lists, links to http and https.
 * Anything else stays plain text: no HTML and no images, because only React elements are created.
 */
export function RichText({ text, className = '' }: { text: string; className?: string }) {
  return (
    <div className={`space-y-2.5 ${className}`}>
      {blocksOf(text).map((block, index) => (
        // Paragraphs are never reordered.
        // oxlint-disable-next-line react/no-array-index-key
        <Block key={index} block={block} />
      ))}
    </div>
  )
}

function Block({ block }: { block: TextBlock }) {
  const { kind, lines, start } = block
  if (kind === 'code')
    return (
      <pre
        dir="auto"
        className="rounded-md bg-sunken px-3 py-2 text-sm leading-6 break-words whitespace-pre-wrap"
      >
        <code>{lines.join('\n')}</code>
      </pre>
    )
  if (kind === 'text')
    return (
      <p dir="auto" className="whitespace-pre-wrap">
        {inline(lines.join('\n'))}
      </p>
    )
  const List = kind
  return (
    <List
      start={kind === 'ol' && start !== 1 ? start : undefined}
      dir="auto"
      className={`space-y-1 ps-6 whitespace-pre-wrap ${kind === 'ol' ? 'list-decimal' : 'list-disc'} marker:text-ink-faint`}
    >
      {lines.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>{inline(line)}</li>
      ))}
    </List>
  )
}

const inline = (text: string): ReactNode => elements(partsOf(text))

const elements = (parts: readonly Part[]): ReactNode =>
  parts.map((one, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>{typeof one === 'string' ? one : element(one)}</Fragment>
  ))

function element(one: Exclude<Part, string>): ReactNode {
  if (one.kind === 'code')
    return <code className="rounded-sm bg-sunken px-1 py-0.5 text-[0.9em]">{one.text}</code>
  if (one.kind === 'bold') return <strong className="font-semibold">{elements(one.parts)}</strong>
  if (one.kind === 'italic') return <em>{elements(one.parts)}</em>
  return (
    <a
      href={one.href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="font-semibold break-words text-accent underline underline-offset-4"
    >
      {/* Direction marks around it would show it backwards. */}
      <bdi>{one.text}</bdi>
      {one.host !== undefined && (
        <>
          {' ('}
          <bdi>{one.host}</bdi>)
        </>
      )}
      <span className="sr-only"> {uiMessages.opensNew}</span>
    </a>
  )
}
