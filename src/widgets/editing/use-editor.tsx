import {
  useEffect,
  useRef,
  useState,
  type ChangeEvent,
  type ReactNode,
  type SubmitEvent,
} from 'react'
import type { FieldErrors, Validated } from '../../../contract/errors.ts'
import { CallError } from '../../sync/client.ts'
import { useDraft } from '../../sync/react/use-draft.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorSummary } from '../../ui/form/error-summary.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { errorMessage } from './error-message.ts'
import { editingMessages as messages } from './messages.ts'

/** What stands in a form's fields, by name; empty for what is not said. */
export type Fields<Name extends string> = Record<Name, string>

interface EditorOptions<Name extends string, Value, Saved, Seen extends Versioned> {
  /** Under which name what is typed is kept. */
  draft: string
  /** Begins the ids of the fields. */
  id: string
  /** What the fields hold when the form opens. */
  initial: Fields<Name>
  /** What the fields are changed to from the start: what was refused, to be said differently. */
  rejected?: Fields<Name> | undefined
  /** The record that an edit changes, as the form shows it. */
  record?: Seen | undefined
  labels: Readonly<Record<Name, string>>
  check: (fields: Fields<Name>) => Validated<Value>
  /** `changed` names the fields that were changed, `seen` is the record as it stood in the form. */
  save: (value: Value, changed: readonly Name[], seen: Seen | undefined) => Promise<Saved>
  done: (saved: Saved) => unknown
}

interface Versioned {
  version: number
}

/** A form as its screens arrange it: see `editor-form.tsx`. */
export interface Editor<Name extends string> {
  /** False until it is known whether there is a draft. */
  ready: boolean
  fields: Fields<Name>
  /** Everything that a field of the kit needs. */
  field: (name: Name) => FieldProps
  set: (changes: Partial<Fields<Name>>) => void
  /** What is wrong, for fields that hold several. */
  errors: FieldErrors
  submit: (event: SubmitEvent) => void
  busy: boolean
  /** Says what was restored, and what is wrong. */
  head: ReactNode
  /** Says that it could not be saved. */
  failure: ReactNode
  /** Forgets what was typed. */
  discard: () => void
}

interface FieldProps {
  id: string
  name: string
  label: string
  value: string
  error: string | undefined
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => void
}

/** What is kept of a form: the fields that were changed, and what stood there in the record. */
interface StoredDraft<Name extends string> {
  typed: Partial<Fields<Name>>
  seen?: Partial<Record<string, unknown>>
}

/**
 * The state of a form that is checked by a schema of the contract, says only what was changed, and
 * keeps what is typed as a draft until it is said. What the form shows stays as it opened: what
 * arrives meanwhile is for the engine to merge with what is said here.
 */
export function useEditor<Name extends string, Value, Saved, Seen extends Versioned>(
  options: EditorOptions<Name, Value, Saved, Seen>,
): Editor<Name> {
  const { id, labels, check, save, done } = options
  const draft = useDraft(options.draft)
  const [{ initial: said, record, rejected: refused }] = useState(options)
  const [forgotten, setForgotten] = useState(false)
  const before = forgotten ? undefined : readDraft<Name>(draft.restored)
  const [typed, setTyped] = useState<Partial<Fields<Name>>>()
  const [errors, setErrors] = useState<FieldErrors>({})
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [attempts, setAttempts] = useState(0)
  const summary = useRef<HTMLDivElement>(null)

  const fields: Fields<Name> = { ...said, ...(typed ?? before?.typed ?? refused) }
  const names = Object.keys(said) as Name[]
  const changedIn = (now: Fields<Name>) =>
    names.filter((name) => now[name].trim() !== said[name].trim())
  const restored = typed === undefined && before !== undefined && changedIn(fields).length > 0
  // What a draft was typed over counts as seen, whatever the record has become since.
  const seen = record && { ...record, ...before?.seen }

  useEffect(() => {
    if (attempts > 0) summary.current?.focus()
  }, [attempts])

  function set(changes: Partial<Fields<Name>>) {
    const next = { ...fields, ...changes }
    setTyped(next)
    setFailure(undefined)
    setErrors((known) =>
      Object.fromEntries(
        Object.entries(known).filter(([name]) => !Object.hasOwn(changes, name.split('.')[0] ?? '')),
      ),
    )
    const changed = changedIn(next)
    if (changed.length === 0) return draft.clear()
    const stored: StoredDraft<Name> = {
      typed: pick(next, changed) as Partial<Fields<Name>>,
      ...(seen && { seen: pick(seen, ['version', ...changed]) }),
    }
    return draft.save(JSON.stringify(stored))
  }

  function discard() {
    setForgotten(true)
    setTyped(undefined)
    setErrors({})
    draft.clear()
    // The button that was pressed goes away.
    summary.current?.focus()
  }

  async function submit() {
    const checked = check(fields)
    if (!checked.ok) {
      setErrors(checked.errors)
      setAttempts((many) => many + 1)
      return
    }
    setErrors({})
    setFailure(undefined)
    setBusy(true)
    try {
      const saved = await save(checked.value, changedIn(fields), seen)
      draft.clear()
      await done(saved)
    } catch (problem) {
      showProblem(problem)
    } finally {
      setBusy(false)
    }
  }

  /** What the server says of a field stands at that field; anything else at the end of the form. */
  function showProblem(problem: unknown) {
    const fieldErrors = problem instanceof CallError ? Object.entries(problem.errors) : []
    const ownErrors = fieldErrors.filter(([path]) =>
      (names as string[]).includes(path.split('.')[0] ?? ''),
    )
    if (ownErrors.length === 0) return setFailure(errorMessage(problem))
    setErrors(Object.fromEntries(ownErrors))
    return setAttempts((many) => many + 1)
  }

  const wrong = [
    ...Map.groupBy(Object.entries(errors), ([path]) => path.split('.')[0] as Name),
  ].map(([name, [first]]) => ({
    field: `${id}-${name}`,
    label: labels[name] ?? name,
    message: first?.[1][0] ?? '',
  }))
  return {
    ready: draft.restored !== undefined,
    fields,
    field: (name) => ({
      id: `${id}-${name}`,
      name,
      label: labels[name],
      value: fields[name],
      error: wrong.find(({ field }) => field === `${id}-${name}`)?.message,
      onChange: (event) => set({ [name]: event.target.value } as Partial<Fields<Name>>),
    }),
    set,
    errors,
    submit: (event) => {
      event.preventDefault()
      if (!busy) void submit()
    },
    busy,
    head: (
      <>
        {restored && (
          <Notice
            action={
              <Button variant="quiet" className="-my-1.5" onClick={discard}>
                {messages.discardDraft}
              </Button>
            }
          >
            {messages.draftRestored}
          </Notice>
        )}
        <ErrorSummary ref={summary} title={messages.summary} errors={wrong} />
      </>
    ),
    failure: failure && <Notice tone="danger">{failure}</Notice>,
    discard,
  }
}

/** Of a checked value what was changed: null for what was cleared. */
export const changesOf = <Value extends object>(
  value: Value,
  changed: readonly (string & keyof Value)[],
): Partial<Value> =>
  Object.fromEntries(changed.map((name) => [name, value[name] ?? null])) as Partial<Value>

/** Those fields of a record as a form shows them: empty for null and for what is missing. */
export const textFields = <Name extends string>(
  record: { readonly [N in Name]?: string | number | null },
  names: readonly Name[],
): Fields<Name> =>
  Object.fromEntries(names.map((name) => [name, String(record[name] ?? '')])) as Fields<Name>

/** Without the fields that are empty: they are not said. */
export const nonEmptyFields = (fields: Fields<string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''))

const pick = (from: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))

function readDraft<Name extends string>(
  text: string | null | undefined,
): StoredDraft<Name> | undefined {
  if (!text) return undefined
  try {
    const stored = JSON.parse(text) as Partial<StoredDraft<Name>>
    return stored.typed && { ...stored, typed: stored.typed }
  } catch {
    return undefined
  }
}
