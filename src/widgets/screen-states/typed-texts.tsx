import { useEffect, useState } from 'react'
import { sync } from '../../sync/client.ts'
import { draftKey } from '../../sync/react/drafts.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { operationMessages as messages } from '../../data/operations/messages.ts'
import { screenStateMessages } from './messages.ts'

/** What was typed about the record `id`, which is gone with its forms. Must have a `key` per record. */
export function TypedTexts({ id }: { id: string }) {
  const [text, setText] = useState('')
  useEffect(() => {
    void readTexts(id).then(setText, () => undefined)
  }, [id])
  if (text === '') return null
  return (
    <Notice
      title={screenStateMessages.typed}
      action={
        <CopyButton
          text={text}
          label={messages.copy}
          done={messages.copied}
          failed={messages.copyFailed}
        />
      }
    >
      <p className="break-words whitespace-pre-wrap">{text}</p>
    </Notice>
  )
}

async function readTexts(id: string): Promise<string> {
  const own = draftKey('')?.slice(0, 2) ?? ['']
  const drafts = await sync().store.transact(['drafts'], 'readonly', async (tx) => {
    const keys = (await tx.keys('drafts', own)).filter((key) => String(key[2]).includes(id))
    return await Promise.all(keys.map((key) => tx.get('drafts', key)))
  })
  return drafts.map(textOf).filter(Boolean).join('\n\n')
}

/** The words of a draft: of an update they are its body, of a form its fields, and others have nothing else. */
function textOf(draft: unknown): string {
  try {
    const { body = '', typed = {} } = JSON.parse(String(draft)) as Partial<
      Record<'body', string> & Record<'typed', Record<string, string>>
    >
    const fields = Object.keys(typed).filter((name) => !name.endsWith('_id'))
    return [body, ...fields.map((name) => typed[name])].join('\n\n').trim()
  } catch {
    return String(draft)
  }
}
