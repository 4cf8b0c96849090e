import { Fragment, type ReactNode } from 'react'
import { uiMessages } from '../messages.ts'

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

interface Block {
  kind: 'text' | 'code' | 'ul' | 'ol'
  /** The items of a list; the lines of other blocks. */
  lines: string[]
  /** First number of a numbered list. */
  start?: number
}

const BULLET = /^ {0,3}[-*•] +(?=\S)/
const NUMBER = /^ {0,3}(\d{1,3})[.)] +(?=\S)/
const FENCE = /^ {0,3}```/

function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  const begin = (block: Block) => {
    blocks.push(block)
    open = block
  }
  for (const line of text.split(/\r\n|\r|\n/)) {
    const kind = open?.kind
    if (FENCE.test(line)) {
      if (kind === 'code') open = undefined
      else begin({ kind: 'code', lines: [] })
      continue
    }
    if (kind === 'code') {
      open?.lines.push(line)
      continue
    }
    if (line.trim() === '') {
      open = undefined
      continue
    }
    const number = NUMBER.exec(line)
    const item = number ?? BULLET.exec(line)
    if (item) {
      const list = number ? 'ol' : 'ul'
      if (kind !== list) begin({ kind: list, lines: [], start: Number(number?.[1] ?? 1) })
      open?.lines.push(line.slice(item[0].length))
    } else if (open && (kind === 'text' || /^\s/.test(line))) {
      // An indented line continues the item above it.
      if (kind === 'text') open.lines.push(line)
      else open.lines.push(`${open.lines.pop() ?? ''}\n${line.trim()}`)
    } else begin({ kind: 'text', lines: [line] })
  }
  return blocks
}

function Block({ block }: { block: Block }) {
  const { kind, lines, start } = block
  if (kind === 'code')
    return (
      <pre className="rounded-md bg-sunken px-3 py-2 text-sm leading-6 break-words whitespace-pre-wrap">
        <code>{lines.join('\n')}</code>
      </pre>
    )
  if (kind === 'text') return <p className="whitespace-pre-wrap">{inline(lines.join('\n'))}</p>
  const List = kind
  return (
    <List
      start={kind === 'ol' && start !== 1 ? start : undefined}
      className={`space-y-1 ps-6 whitespace-pre-wrap ${kind === 'ol' ? 'list-decimal' : 'list-disc'} marker:text-ink-faint`}
    >
      {lines.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>{inline(line)}</li>
      ))}
    </List>
  )
}

// Each pattern has a maximum length: otherwise a text of delimiters would take quadratic time.
const CODE = '`(?<code>[^`\\n]{1,1000})`'
const LINK = '\\[(?<label>[^\\]\\n]{1,500})\\]\\((?<target>https?://[^\\s()<>]{1,2000})\\)'
const BARE = 'https?://[^\\s<>"`]{1,2000}'
const BOLD = '\\*\\*(?<bold>(?=\\S)[^*\\n]{1,1000}(?<=\\S))\\*\\*'
const ITALIC =
  '(?<![\\w*])\\*(?<italic>(?=\\S)[^*\\n]{1,1000}(?<=\\S))\\*(?![\\w*])|(?<!\\w)_(?<under>(?=\\S)[^_\\n]{1,1000}(?<=\\S))_(?!\\w)'
const MARKUP = new RegExp([CODE, LINK, BARE, BOLD, ITALIC].join('|'), 'gi')

function inline(text: string): ReactNode {
  const parts: ReactNode[] = []
  let at = 0
  for (const match of text.matchAll(MARKUP)) {
    const { index } = match
    // Punctuation at the end of a sentence is not part of a URL.
    const found = match.groups?.['target'] ? match[0] : match[0].replace(/[.,;:!?'*_)\]]+$/, '')
    const matched = /^https?:/i.test(match[0]) ? found : match[0]
    parts.push(text.slice(at, index), element(matched, match.groups ?? {}))
    at = index + matched.length
  }
  parts.push(text.slice(at))
  return parts.map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>{part}</Fragment>
  ))
}

function element(matched: string, groups: Record<string, string | undefined>): ReactNode {
  const { code, label, target, bold, italic, under } = groups
  if (code !== undefined)
    return <code className="rounded-sm bg-sunken px-1 py-0.5 text-[0.9em]">{code}</code>
  if (bold !== undefined) return <strong className="font-semibold">{inline(bold)}</strong>
  const slanted = italic ?? under
  if (slanted !== undefined) return <em>{inline(slanted)}</em>
  const href = webAddress(target ?? matched)
  if (href === undefined) return matched
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="font-semibold break-words text-accent underline underline-offset-4"
    >
      {/* Direction marks around it would show it backwards. */}
      <bdi>{label === undefined ? shownAddress(href, matched) : shownLabel(label, href)}</bdi>
      <span className="sr-only"> {uiMessages.opensNew}</span>
    </a>
  )
}

/** The normalised URL; undefined unless it is http or https without credentials. */
function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { href, protocol, username, password } = new URL(text)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  // `https://bank.example@elsewhere.example` leads elsewhere.
  return isWeb && username === '' && password === '' ? href : undefined
}

/** A URL as it was written, with the host as the browser resolves it where that looks like another one (`xn--…`). */
const shownAddress = (href: string, written: string): string =>
  /(^|\.)xn--/.test(new URL(href).hostname) ? href : written

/** A label; with the host of the URL where the label names another one. */
function shownLabel(label: string, href: string): string {
  const { hostname } = new URL(href)
  const named = /[\p{L}\p{N}-]+\.\p{L}{2,}/u.test(label)
  return named && !label.toLowerCase().includes(hostname.replace(/^www\./, ''))
    ? `${label} (${hostname})`
    : label
}
