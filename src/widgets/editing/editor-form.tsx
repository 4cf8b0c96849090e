import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import type { Editor } from './use-editor.tsx'
import { editingMessages as messages } from './messages.ts'

interface EditorProps {
  editor: Editor<never>
  /** The fields. */
  children: ReactNode
  /** The word on the button that says it. */
  action: string
  /** Why it cannot be said now. */
  unavailable?: string | undefined
  onCancel: () => void
}

interface EditorFormProps extends EditorProps {
  /** What becomes of what is said. */
  hint?: string
}

/** A form as part of a page. */
export function EditorForm(props: EditorFormProps) {
  const { editor, children, action, unavailable, hint = messages.offlineHint, onCancel } = props
  if (!editor.ready) return null
  return (
    <form noValidate onSubmit={editor.submit} className="mt-6 flex flex-col gap-6">
      {editor.head}
      {children}
      {editor.failure}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-2">
        <Button type="submit" variant="primary" busy={editor.busy} unavailable={unavailable}>
          {action}
        </Button>
        <Button variant="quiet" onClick={cancelled(editor, onCancel)}>
          {messages.cancel}
        </Button>
        <p className="text-sm sm:ms-2 text-ink-faint">{hint}</p>
      </div>
    </form>
  )
}

interface EditorDialogProps extends EditorProps {
  title: string
  description?: ReactNode
  /** What else can be done, before the two buttons. */
  extra?: ReactNode
}

/** A form as a question over the page. Closed without a word, it keeps what was typed as a draft. */
export function EditorDialog(props: EditorDialogProps) {
  const { editor, title, description, children, action, unavailable, extra, onCancel } = props
  if (!editor.ready) return null
  return (
    <Dialog
      open
      onClose={onCancel}
      title={title}
      description={description}
      onSubmit={editor.submit}
      width="wide"
      actions={
        <>
          {extra}
          <Button onClick={cancelled(editor, onCancel)}>{messages.cancel}</Button>
          <Button type="submit" variant="primary" busy={editor.busy} unavailable={unavailable}>
            {action}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {editor.head}
        {children}
        {editor.failure}
      </div>
    </Dialog>
  )
}

/** Whoever says "Cancel" does not want the draft either. */
const cancelled = (editor: Editor<never>, onCancel: () => void) => () => {
  editor.discard()
  onCancel()
}
