// What another app shared, as the text of an update. The names of the parameters are the manifest's.

/** Title, text and address, each once: many apps repeat the address within the text. Empty when nothing was shared. */
export function sharedText(params: URLSearchParams): string {
  const parts = ['share_title', 'share_text', 'share_url'].map((name) => params.get(name)?.trim())
  const [title = '', text = '', url = ''] = parts
  return [text.includes(title) ? '' : title, text, text.includes(url) ? '' : url]
    .filter(Boolean)
    .join('\n\n')
}

/** A composer's draft, as it is kept, with that text at its end. */
export function appendSharedText(draft: string | undefined, text: string): string {
  let before: { body?: unknown } = {}
  try {
    before = JSON.parse(draft ?? '{}') as typeof before
  } catch {
    // What cannot be read cannot be shown either.
  }
  const body = typeof before.body === 'string' ? before.body.trimEnd() : ''
  // Sent twice, by a reload say, it is there once.
  if (body.endsWith(text)) return JSON.stringify(before)
  return JSON.stringify({ ...before, body: body === '' ? text : `${body}\n\n${text}` })
}
