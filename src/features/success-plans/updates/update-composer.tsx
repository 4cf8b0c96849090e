import { useEffect, useRef, useState, type KeyboardEvent, type SubmitEvent } from 'react'
import { useLocation } from 'react-router'
import {
  SuccessPlanUpdateDraft,
  type SuccessPlan,
} from '../../../../contract/schemas/success-plans.ts'
import { validateForm } from '../../../../contract/errors.ts'
import { StorageFullError } from '../../../sync/core/ports.ts'
import { useOperations, useSendingIds } from '../../../sync/react/use-sync.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { TextAreaField } from '../../../ui/form/field.tsx'
import { Notice } from '../../../ui/display/notice.tsx'
import { useScrollPadding } from '../../../ui/platform/scroll-padding.ts'
import { useTimesHidden } from '../../../ui/platform/use-when-shown.ts'
import { useDesktop } from '../../../ui/platform/use-desktop.ts'
import { useKeyboardHeight } from '../../../ui/platform/keyboard-height.ts'
import { stateOf } from '../../../widgets/operations/operation-state.tsx'
import { stateMessages } from '../../../widgets/operations/messages.ts'
import { postUpdate } from '../../../data/success-plans/post-update.ts'
import { UpdateValues } from './update-values.tsx'
import {
  EMPTY,
  joined,
  readDraft,
  updateInFront,
  withOwnProgress,
  type Draft,
} from './update-draft.ts'
import { createdRecordId } from '../../../data/operations/operation-call.ts'
import { useDraft } from '../../../sync/react/use-draft.ts'
import { updateMessages as messages } from '../plan-messages.ts'

/** Shorter waits show no busy state, which would itself cost a render. */
const MIN_BUSY_MS = 150
/** Above the navigation of a phone, and above an on-screen keyboard that covers it. */
const STUCK = { bottom: 'max(3.5rem + var(--safe-bottom), var(--keyboard-height, 0px))' }

interface UpdateComposerProps {
  plan: SuccessPlan
  /** Called with id and text once an update is durable. Without it the composer confirms it itself. */
  onPosted?: (id: string, body: string) => void
}

/**
 * Composes and posts an update of a plan. The typed text is stored as a draft. On a phone it is one line
 * until it takes the focus or has a draft, and again once the update is posted.
 */
export function UpdateComposer(props: UpdateComposerProps) {
  // In a kept list: on the page of the plan its draft may have been posted or changed meanwhile.
  return <StoredComposer key={useTimesHidden()} {...props} />
}

function StoredComposer(props: UpdateComposerProps) {
  const storedDraft = useDraft(`update:${props.plan.id}`, updateInFront)
  const before = readDraft(storedDraft.restored)
  if (storedDraft.restored === undefined) return <div className="min-h-11 md:min-h-60" />
  return (
    <Composer
      // Remounts the form when a draft is found after the empty form was shown.
      key={storedDraft.restored}
      {...props}
      storedDraft={storedDraft}
      before={before}
    />
  )
}

interface ComposerProps extends UpdateComposerProps {
  storedDraft: ReturnType<typeof useDraft>
  /** The restored draft. */
  before: Draft | undefined
}

function Composer({ plan, storedDraft, before, onPosted }: ComposerProps) {
  const [draft, setDraft] = useState(before ?? EMPTY)
  const current = useRef(draft)
  /** Whether the form still shows what is being saved. */
  const showsPosting = useRef(false)
  const [restored, setRestored] = useState(before !== undefined)
  const [error, setError] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [takesLong, setTakesLong] = useState(false)
  const [posted, setPosted] = useState<string>()
  const textbox = useRef<HTMLDivElement>(null)
  const isPhone = !useDesktop()
  const [opened, setOpened] = useState(before !== undefined)
  const isLine = isPhone && !opened
  const isStuck = isPhone && opened
  useKeyboardHeight(isStuck)
  useScrollPadding(isStuck)
  const location = useLocation()
  // Focus when the link asks to write an update (`#write`).
  useEffect(() => {
    if (location.hash === '#write') textbox.current?.querySelector('textarea')?.focus()
  }, [location])

  function show(next: Draft) {
    current.current = next
    setDraft(next)
    setError(undefined)
    setFailure(undefined)
    setPosted(undefined)
  }

  function change(values: Partial<Draft>) {
    emptyForm()
    const next = { ...current.current, ...values }
    show(next)
    if (isEmpty(next)) storedDraft.clear()
    else storedDraft.save(JSON.stringify(next))
  }

  /** Empties the form if it still shows what is being saved. */
  function emptyForm() {
    if (!showsPosting.current) return
    showsPosting.current = false
    show(EMPTY)
    setRestored(false)
    setOpened(false)
  }

  function discard() {
    setRestored(false)
    change({ body: '', progress: undefined, health: undefined })
  }

  async function post() {
    if (showsPosting.current) return undefined
    const posting = current.current
    const checked = validateForm(SuccessPlanUpdateDraft, withOwnProgress(plan, posting))
    const field = textbox.current?.querySelector('textarea')
    // On a phone the update is seen below the line then, and no keyboard covers it.
    if (checked.ok && isPhone) field?.form?.querySelector<HTMLElement>('[type=submit]')?.focus()
    else field?.focus()
    if (!checked.ok) return setError(Object.values(checked.errors)[0]?.[0])
    // The form is emptied in the frame that shows "Saved": a frame of its own would delay that. Before, when
    // the next update is begun or this one takes long.
    showsPosting.current = true
    const busyTimer = setTimeout(() => {
      emptyForm()
      setTakesLong(true)
    }, MIN_BUSY_MS)
    try {
      const id = await storedDraft.submit((key) => postUpdate(plan, checked.value, key))
      emptyForm()
      if (onPosted) return onPosted(id, checked.value.body)
      setPosted(id)
    } catch (problem) {
      emptyForm()
      change(joined(posting, current.current))
      setOpened(true)
      setFailure(problem instanceof StorageFullError ? messages.full : messages.failed)
    } finally {
      clearTimeout(busyTimer)
      setTakesLong(false)
    }
    return undefined
  }

  function onSubmit(event: SubmitEvent) {
    event.preventDefault()
    void post()
  }
  function onKeyDown(event: KeyboardEvent) {
    const isPost = event.key === 'Enter' && !event.shiftKey && (event.ctrlKey || event.metaKey)
    if (isPost) event.preventDefault()
    // Held, it would post what comes after the update.
    if (isPost && event.repeat) return
    emptyForm()
    if (isPost) void post()
  }

  return (
    // Here and not on a control, so that the shortcut works in every field.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      noValidate
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
      className={`@container print:hidden ${isLine ? 'grid grid-cols-[minmax(0,1fr)_auto] gap-2' : 'flex flex-col gap-4'}`}
    >
      <div ref={textbox}>
        <TextAreaField
          label={messages.label}
          labelHidden={isLine}
          hint={isLine ? undefined : messages.hint}
          placeholder={isLine ? messages.line : undefined}
          error={error}
          rows={isLine ? 1 : 2}
          className={isLine ? 'h-11 min-h-11! resize-none' : ''}
          value={draft.body}
          onFocus={() => {
            emptyForm()
            setOpened(true)
          }}
          onChange={(event) => change({ body: event.target.value })}
        />
        {!isPhone && <Formatting />}
      </div>
      {!isLine && <UpdateValues plan={plan} draft={draft} onChange={change} />}
      {failure && (
        <Notice
          tone="danger"
          action={
            <CopyButton
              text={draft.body}
              label={messages.copy}
              done={messages.copied}
              failed={messages.copyFailed}
            />
          }
        >
          {failure}
        </Notice>
      )}
      <div
        // Above the navigation and an on-screen keyboard, however long the text is.
        style={isStuck ? STUCK : undefined}
        className={`flex flex-wrap items-center gap-x-4 gap-y-2 ${isStuck ? 'sticky z-10 -mx-4 border-t border-line bg-surface px-4 py-2 short:static' : ''}`}
      >
        <Button type="submit" variant="primary" className={isLine ? 'min-h-11' : ''}>
          {messages.post}
        </Button>
        {/* Small, and so never half below the bar. */}
        {isStuck && <Formatting />}
        <output className={isLine ? 'sr-only' : 'text-sm text-ink-muted'}>
          {takesLong ? (
            stateMessages.saving
          ) : posted ? (
            <PostedState key={posted} id={posted} />
          ) : null}
        </output>
        {restored && !posted && !isEmpty(draft) && (
          <p className="text-sm text-ink-muted">
            {messages.draftRestored} ·{' '}
            <button
              type="button"
              onClick={discard}
              className="min-h-6 font-semibold text-accent underline underline-offset-4 coarse:min-h-11"
            >
              {messages.discardDraft}
            </button>
          </p>
        )}
        <p className="ms-auto hidden text-xs text-ink-faint sm:block coarse:hidden">
          {messages.shortcut}
        </p>
      </div>
    </form>
  )
}

/** What text can contain, on demand. */
const Formatting = () => (
  <details className="text-sm text-ink-muted open:basis-full md:mt-1">
    <summary className="inline-flex min-h-6 cursor-pointer items-center text-ink-faint underline underline-offset-4 coarse:min-h-11">
      {messages.formatting}
    </summary>
    <p>{messages.formattingHint}</p>
  </details>
)

/** How long "Saved" is shown before the sync state replaces it. */
const READING_MS = 1_500

/** The state of the update just posted. */
function PostedState({ id }: { id: string }) {
  const operation = useOperations().find((one) => createdRecordId(one) === id)
  const sending = useSendingIds()
  const [read, setRead] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), READING_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!read && operation?.state !== 'attention') return stateMessages.saved
  return operation && stateMessages[stateOf(operation, sending)]
}

const isEmpty = ({ body, progress, health }: Draft) =>
  body.trim() === '' && progress === undefined && health === undefined
