// Converts shared content to the text of an update. The manifest defines the parameter names.
import { readDraft } from '../updates/update-draft.ts'

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

/** Whether the stored draft of a composer ends with the text. */
export const endsWith = (draft: string, text: string): boolean =>
  readDraft(draft)?.body.trimEnd().endsWith(text) === true
