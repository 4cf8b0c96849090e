import {
  useEffect,
  useRef,
  useState,
  type ChangeEvent,
  type ReactNode,
  type SubmitEvent,
} from 'react'
import type { FieldErrors, Validated } from '../../../contract/errors.ts'
import type { EditOptions } from '../../data/change-records.ts'
import { newId } from '../../sync/browser/new-id.ts'
import { CallError } from '../../sync/client.ts'
import { useDraft } from '../../sync/react/use-draft.ts'
import { useOutboxRead, useKeeps } from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorSummary } from '../../ui/form/error-summary.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { useWhenShown } from '../../ui/platform/use-when-shown.ts'
import { errorMessage } from './error-message.ts'
import { formInFront, ofChanges, readDraft, type StoredDraft } from './form-fields.ts'
import { editingMessages as messages } from './messages.ts'

/** The values of a form's fields by name; empty for fields that are not set. */
export type Fields<Name extends string> = Record<Name, string>

interface EditorOptions<Name extends string, Value, Saved, Seen extends object> {
  /** Name of the stored draft; none where the form has a password. */
  draft?: string
  /** Prefix of the field ids. */
  id: string
  /** The collection of the record; its fields that the server does not keep are not offered. */
  collection?: string
  /** The fields of the record that a field of the form sets, where they have other names. */
  sets?: Partial<Record<Name, readonly string[]>>
  /** The fields as far as they are known. The form starts with those of the render in which it opens. */
  initial: Fields<Name>
  /** The lists from which `initial` is taken; the form opens when each of them was read, or cannot be read. */
  reads?: readonly { data: unknown; isFetching: boolean }[]
  /** Values of a rejected operation, prefilled for correction. */
  rejected?: Fields<Name> | undefined
  /** The operation of `rejected`. The form does not correct an operation that is rejected while it is open. */
  corrects?: EditOptions['rejected']
  /** The record being edited, as the form shows it. */
  record?: Seen | undefined
  labels: Readonly<Record<Name, string>>
  check: (fields: Fields<Name>) => Validated<Value>
  /** Saves the validated value. `changed` names the changed fields, `seen` is the record as the form showed it. */
  save: (
    value: Value,
    changed: readonly Name[],
    seen: Seen | undefined,
    form: SavedForm,
  ) => Promise<Saved>
  /** Called after a save, but not if the user has left the form meanwhile, because it may open another screen. */
  done: (saved: Saved) => unknown
}

/** What `save` needs of the form, such as the key of the stored draft, which calls delete in their transaction. */
interface SavedForm extends Pick<EditOptions, 'draft' | 'rejected'> {
  /** The id for a record that it creates: the same for all attempts of one draft, also after the form was closed. */
  new_id: string
}

/** A form's state and handlers, laid out by `editor-form.tsx` and `plain-form.tsx`. */
export interface Editor<Name extends string, Seen = unknown> {
  /** False until the stored draft has been read, and what the fields are taken from with the outbox. */
  ready: boolean
  /** The fields as the form opened. */
  initial: Fields<Name>
  /** The record as the form shows it, for what is done with it besides saving. */
  seen: Seen | undefined
  fields: Fields<Name>
  /** The props of a field component. */
  field: (name: Name) => FieldProps
  set: (changes: Partial<Fields<Name>>) => void
  /** Errors by path, for fields that contain several values. */
  errors: FieldErrors
  submit: (event: SubmitEvent) => void
  busy: boolean
  /** Why it cannot be cancelled now: what is being saved may have arrived. */
  inProgress: string | undefined
  /** The restored-draft notice and the error summary. */
  head: ReactNode
  /** The error if saving failed. */
  failure: ReactNode
  /** Discards the typed values and the draft. */
  discard: () => void
}

interface FieldProps {
  id: string
  name: string
  label: string
  value: string
  error: string | undefined
  hidden: boolean
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => void
}

/**
 * State of a form that is validated with a contract schema. Only changed fields are saved, and typed
 * values are stored as a draft. The form keeps the values it opened with; the sync engine merges
 * changes that arrive meanwhile.
 */
export function useEditor<Name extends string, Value, Saved, Seen extends object>(
  options: EditorOptions<Name, Value, Saved, Seen>,
): Editor<Name, Seen> {
  const { id, labels, check, save, done, reads = [] } = options
  const draft = useDraft(options.draft, formInFront)
  const keeps = useKeeps(options.collection ?? '')
  const needsOutbox = options.record !== undefined || reads.length > 0
  const isOutboxRead = useOutboxRead(needsOutbox)
  const isKnown =
    (!needsOutbox || isOutboxRead) &&
    reads.every(({ data, isFetching }) => data !== undefined || !isFetching)
  const [opened, setOpened] = useState(isKnown ? options : undefined)
  if (isKnown && !opened) setOpened(options)
  const { initial, record, rejected, corrects } = opened ?? options
  const [isDiscarded, setDiscarded] = useState(false)
  const before = isDiscarded ? undefined : readDraft<Name>(draft.restored)
  const [made_id, setMadeId] = useState(newId)
  const new_id = before?.new_id ?? made_id
  const [typed, setTyped] = useState<Partial<Fields<Name>>>()
  const [errors, setErrors] = useState<FieldErrors>({})
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [attempts, setAttempts] = useState(0)
  const summary = useRef<HTMLDivElement>(null)
  const whenShown = useWhenShown()

  const fields: Fields<Name> = { ...initial, ...(typed ?? { ...rejected, ...before?.typed }) }
  const names = Object.keys(initial) as Name[]
  const recordFields = (name: Name) => options.sets?.[name] ?? [name]
  const changedIn = (now: Fields<Name>) =>
    names.filter((name) => now[name].trim() !== initial[name].trim())
  const restored = typed === undefined && before !== undefined && changedIn(fields).length > 0
  // The values the draft was typed over count as seen, even if the record has changed since.
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
      // The plan shows what was typed when the record is gone.
      ...(seen
        ? { seen: pick(seen, ['version', 'success_plan_id', ...changed.flatMap(recordFields)]) }
        : { new_id }),
    }
    return draft.save(JSON.stringify(stored))
  }

  function discard() {
    setDiscarded(true)
    setMadeId(newId())
    setTyped(undefined)
    setErrors({})
    draft.clear()
    // The pressed button is removed.
    summary.current?.focus()
  }

  async function submit() {
    const whole = check(fields)
    const checked = record ? ofChanges(whole, check(initial), changedIn(fields)) : whole
    if (!checked.ok) {
      setErrors(checked.errors)
      setAttempts((many) => many + 1)
      return
    }
    setErrors({})
    setFailure(undefined)
    setBusy(true)
    // Its id stays the same where this attempt arrives without an answer.
    if (!seen && changedIn(fields).length === 0) draft.save(JSON.stringify({ typed: {}, new_id }))
    try {
      const saved = await draft.submit((key) =>
        save(checked.value, changedIn(fields), seen, { draft: key, rejected: corrects, new_id }),
      )
      await whenShown(() => done(saved))
    } catch (problem) {
      showProblem(problem)
    } finally {
      setBusy(false)
    }
  }

  /** Shows the server's field errors at their fields, any other error at the end of the form. */
  function showProblem(problem: unknown) {
    const fieldErrors = problem instanceof CallError ? Object.entries(problem.errors) : []
    const ownErrors = fieldErrors.filter(([path]) =>
      (names as string[]).includes(path.split('.')[0] ?? ''),
    )
    if (ownErrors.length === 0) return setFailure(errorMessage(problem))
    setErrors(Object.fromEntries(ownErrors))
    return setAttempts((many) => many + 1)
  }

  const inProgress = busy ? messages.inProgress : undefined
  const summarised = [
    ...Map.groupBy(Object.entries(errors), ([path]) => path.split('.')[0] as Name),
  ].map(([name, [first]]) => ({
    field: `${id}-${name}`,
    label: labels[name] ?? name,
    message: first?.[1][0] ?? '',
  }))
  return {
    ready: opened !== undefined && draft.restored !== undefined,
    initial,
    seen,
    fields,
    field: (name) => ({
      id: `${id}-${name}`,
      name,
      label: labels[name],
      value: fields[name],
      error: summarised.find(({ field }) => field === `${id}-${name}`)?.message,
      // What was typed before is shown, so that it can be copied.
      hidden: !recordFields(name).some(keeps) && fields[name] === initial[name],
      onChange: (event) => set({ [name]: event.target.value } as Partial<Fields<Name>>),
    }),
    set,
    errors,
    submit: (event) => {
      event.preventDefault()
      if (!busy) void submit()
    },
    busy,
    inProgress,
    head: (
      <>
        {restored && (
          <Notice
            action={
              <Button
                variant="quiet"
                className="-my-1.5"
                unavailable={inProgress}
                onClick={discard}
              >
                {messages.discardDraft}
              </Button>
            }
          >
            {messages.draftRestored}
          </Notice>
        )}
        <ErrorSummary ref={summary} title={messages.summary} errors={summarised} />
      </>
    ),
    failure: failure && <Notice tone="danger">{failure}</Notice>,
    discard,
  }
}

/** The changed fields of a validated value; null for cleared ones. */
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

/** Leaves out empty fields, which are not sent. */
export const nonEmptyFields = (fields: Fields<string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''))

const pick = (from: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
