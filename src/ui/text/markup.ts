// The minimal markup of user texts: what is bold, a list, a link. How it looks is for `rich-text.tsx` and files.

/**
 * A piece of a line. A link leads to http or https, without credentials; its `host` is shown after a text that could
 * pass for another one.
 */
export type Part =
  | string
  | { kind: 'code'; text: string }
  | { kind: 'bold'; parts: Part[] }
  | { kind: 'italic'; parts: Part[] }
  | { kind: 'link'; text: string; host: string | undefined; href: string }

export interface Block {
  kind: 'text' | 'code' | 'ul' | 'ol'
  /** The items of a list; the lines of other blocks. */
  lines: string[]
  /** First number of a numbered list. */
  start?: number
}

const BULLET = /^ {0,3}[-*•] +(?=\S)/
const NUMBER = /^ {0,3}(\d{1,3})[.)] +(?=\S)/
const FENCE = /^ {0,3}```/

/** The paragraphs, lists and code of a text. */
export function blocksOf(text: string): Block[] {
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

// Each pattern has a maximum length: otherwise a text of delimiters would take quadratic time. A bracket tells where
// the next part of a target begins, so that there is one way only to match it.
const CODE = '`(?<code>[^`\\n]{1,1000})`'
const LINK =
  '\\[(?<label>[^\\]\\n]{1,500})\\]\\((?<target>https?://[^\\s()<>]{1,2000}(?:\\([^\\s()<>]{0,2000}\\)[^\\s()<>]{0,2000}){0,9})\\)'
const BARE = 'https?://[^\\s<>"`]{1,2000}'
const BOLD = '\\*\\*(?<bold>(?=\\S)[^*\\n]{1,1000}(?<=\\S))\\*\\*'
const ITALIC =
  '(?<![\\w*])\\*(?<italic>(?=\\S)[^*\\n]{1,1000}(?<=\\S))\\*(?![\\w*])|(?<!\\w)_(?<under>(?=\\S)[^_\\n]{1,1000}(?<=\\S))_(?!\\w)'
const MARKUP = new RegExp([CODE, LINK, BARE, BOLD, ITALIC].join('|'), 'gi')

/** The pieces of a text without lists and paragraphs. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const match of text.matchAll(MARKUP)) {
    const { index } = match
    const matched = /^https?:/i.test(match[0]) ? withoutPunctuation(match[0]) : match[0]
    parts.push(text.slice(at, index), part(matched, match.groups ?? {}))
    at = index + matched.length
  }
  parts.push(text.slice(at))
  return parts.filter((one) => one !== '')
}

/** A URL without the punctuation of its sentence. A closing bracket stays if the URL has the opening one. */
function withoutPunctuation(url: string): string {
  const surplus = (open: string, close: string) => url.split(close).length - url.split(open).length
  const foreign: Record<string, number> = { ')': surplus('(', ')'), ']': surplus('[', ']') }
  for (let end = url.length; ; end -= 1) {
    const last = url[end - 1] ?? ''
    const count = foreign[last]
    const isOwn = count === undefined ? !/[.,;:!?'*_]/.test(last) : count <= 0
    if (isOwn) return url.slice(0, end)
    if (count !== undefined) foreign[last] = count - 1
  }
}

function part(matched: string, groups: Record<string, string | undefined>): Part {
  const { code, label, target, bold, italic, under } = groups
  if (code !== undefined) return { kind: 'code', text: code }
  if (bold !== undefined) return { kind: 'bold', parts: partsOf(bold) }
  const slanted = italic ?? under
  if (slanted !== undefined) return { kind: 'italic', parts: partsOf(slanted) }
  const href = webAddress(target ?? matched)
  if (href === undefined) return matched
  // Controls of direction would show it, and the host after it, backwards.
  const text = label?.replaceAll(/\p{Bidi_Control}/gu, '') || shownAddress(href, target ?? matched)
  const { hostname } = new URL(href)
  const host = label !== undefined && namesAnotherHost(text, hostname) ? hostname : undefined
  return { kind: 'link', text, host, href }
}

/** The normalised URL; undefined unless it is http or https without credentials. */
function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { href, protocol, username, password } = new URL(text)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  // `https://bank.example@elsewhere.example` leads elsewhere.
  return isWeb && username === '' && password === '' ? href : undefined
}

const IDN = /(^|\.)xn--/

/** A URL as it was written, with the host as the browser resolves it where that looks like another one (`xn--…`). */
const shownAddress = (href: string, written: string): string =>
  IDN.test(new URL(href).hostname) ? href : written

/** What can pass for the dot of a host, also after compatibility forms became plain ones. */
const DOT =
  /[.·‧•∙⋅。・\u0701\u0702\u06D4\uA4F8\uA60E\u{10A50}\u{1D16D}]\S|[\u0660\u06F0]\p{L}|:\/\//u

/** Whether a word of the label looks like a host, and not like that of the URL as it is read. */
function namesAnotherHost(label: string, hostname: string): boolean {
  const words = label
    .normalize('NFKC')
    .split(/\s+/)
    .filter((word) => DOT.test(word))
  return words.some((word) => IDN.test(hostname) || hostIn(word) !== withoutWww(hostname))
}

/** The host that the word of a label is an address of, as the browser resolves it. */
function hostIn(word: string): string | undefined {
  const address = word.replaceAll(/^\p{P}+|\p{P}+$/gu, '')
  const url = URL.parse(/^https?:\/\//i.test(address) ? address : `https://${address}`)
  return url?.username === '' ? withoutWww(url.hostname) : undefined
}

const withoutWww = (hostname: string) => hostname.replace(/^www\./, '')
