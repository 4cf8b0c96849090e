import { useCallback, useEffect, useState } from 'react'
import { sync } from '../../sync/client.ts'
import type { Key } from '../../sync/core/ports.ts'
import { draftKey, draftName } from '../../sync/react/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { operationMessages as messages } from '../../data/operations/messages.ts'
import { screenStateMessages } from './messages.ts'

/** The words of a draft, and the plan of its record, where that is known. */
interface Typed {
  text: string
  plan_id?: unknown
}

type IsOf = (name: string, typed: Typed) => boolean

/** What was typed about the record `id`, which is gone with its forms. Must have a `key` per record. */
export function TypedTexts({ id }: { id: string }) {
  const isOf = useCallback((name: string) => `${name}:`.includes(`:${id}:`), [id])
  return <Texts title={screenStateMessages.typed} isOf={isOf} />
}

interface TypedAboutWorkProps {
  title: string
  /** The plan whose work is meant; omitted for the work of all plans and for work whose plan is not known. */
  plan_id?: string
  /** The ids of all initiatives and actions; undefined while they are read. */
  ids: ReadonlySet<string> | undefined
}

/** What was typed about initiatives and actions that are gone. */
export function TypedAboutWork({ title, plan_id, ids }: TypedAboutWorkProps) {
  const isOf = useCallback(
    (name: string, typed: Typed) => {
      const [, id = ''] = /^(?:initiative|action|new-action):([^:]+)$/.exec(name) ?? []
      const isGone = id !== '' && ids?.has(id) === false
      return isGone && (plan_id === undefined || typed.plan_id === plan_id)
    },
    [ids, plan_id],
  )
  return ids && <Texts title={title} isOf={isOf} />
}

const NONE = { keys: [] as Key[], text: '' }

function Texts({ title, isOf }: { title: string; isOf: IsOf }) {
  const [{ keys, text }, setTyped] = useState(NONE)
  useEffect(() => {
    let isLatest = true
    void readTexts(isOf).then(
      (read) => isLatest && setTyped(read),
      () => undefined,
    )
    return () => {
      isLatest = false
    }
  }, [isOf])
  if (text === '') return null

  const discard = () =>
    void sync()
      .store.transact(['drafts'], 'readwrite', async (tx) => {
        for (const key of keys) tx.delete('drafts', key)
      })
      .then(
        () => setTyped(NONE),
        () => undefined,
      )

  return (
    <Notice
      title={title}
      action={
        <>
          <CopyButton
            text={text}
            label={messages.copy}
            done={messages.copied}
            failed={messages.copyFailed}
          />
          <Button variant="quiet" onClick={discard}>
            {messages.discard}
          </Button>
        </>
      }
    >
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {text}
      </p>
    </Notice>
  )
}

async function readTexts(isOf: IsOf): Promise<typeof NONE> {
  const own = draftKey('')?.slice(0, 2) ?? ['']
  return await sync().store.transact(['drafts'], 'readonly', async (tx) => {
    const keys = await tx.keys('drafts', own)
    const all = await Promise.all(
      keys.map(async (key) => ({ key, typed: readTyped(await tx.get('drafts', key)) })),
    )
    const found = all.filter(({ key, typed }) => typed.text && isOf(draftName(key), typed))
    return {
      keys: found.map(({ key }) => key),
      text: found.map(({ typed }) => typed.text).join('\n\n'),
    }
  })
}

/** The words of a draft: the body of an update, the fields of a form, else the draft itself. */
function readTyped(draft: unknown): Typed {
  try {
    const {
      body = '',
      typed = {},
      seen,
    } = JSON.parse(String(draft)) as Partial<
      Record<'body', string> & Record<'typed', Record<string, string>> & Record<'seen', object>
    >
    const fields = Object.keys(typed).filter((name) => !name.endsWith('_id'))
    const text = [body, ...fields.map((name) => typed[name])].join('\n\n').trim()
    return { text, plan_id: seen && 'success_plan_id' in seen && seen.success_plan_id }
  } catch {
    return { text: String(draft) }
  }
}
