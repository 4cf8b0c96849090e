// Converts shared content to the text of an update. The manifest defines the parameter names.

/**
 * Title, text and URL, each once, because many apps repeat the URL in the text. Empty if nothing was
 * shared.
 */
export function sharedText(params: URLSearchParams): string {
  const parts = ['share_title', 'share_text', 'share_url'].map((name) => params.get(name)?.trim())
  const [title = '', text = '', url = ''] = parts
  return [text.includes(title) ? '' : title, text, text.includes(url) ? '' : url]
    .filter(Boolean)
    .join('\n\n')
}

/** The stored draft of a composer with the text appended. */
export function appendSharedText(draft: string | undefined, text: string): string {
  let before: { body?: unknown } = {}
  try {
    before = JSON.parse(draft ?? '{}') as typeof before
  } catch {
    // An unreadable draft could not be shown either.
  }
  const body = typeof before.body === 'string' ? before.body.trimEnd() : ''
  // Idempotent: a reload shares the same text again.
  if (body.endsWith(text)) return JSON.stringify(before)
  return JSON.stringify({ ...before, body: body === '' ? text : `${body}\n\n${text}` })
}
