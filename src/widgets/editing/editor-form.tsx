import type { ReactNode } from 'react'
import { Button, type ButtonVariant } from '../../ui/button.tsx'
import { SkeletonForm } from '../../ui/display/skeleton.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import type { Editor } from './use-editor.tsx'
import { editingMessages as messages } from './messages.ts'

interface EditorProps {
  editor: Editor<never>
  /** The fields. */
  children: ReactNode
  /** Label of the submit button. */
  action: string
  /** Why it cannot be submitted now. */
  unavailable?: string | undefined
  onCancel: () => void
}

interface EditorFormProps extends EditorProps {
  /** Says when the change takes effect. */
  hint?: string
}

/** A form as part of a page. */
export function EditorForm(props: EditorFormProps) {
  const { editor, children, action, unavailable, hint = messages.offlineHint, onCancel } = props
  if (!editor.ready) return <SkeletonForm label={messages.loading} />
  return (
    <form noValidate onSubmit={editor.submit} className="mt-6 flex flex-col gap-6">
      {editor.head}
      {children}
      {editor.failure}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-2">
        <Button type="submit" variant="primary" busy={editor.busy} unavailable={unavailable}>
          {action}
        </Button>
        <CancelButton variant="quiet" editor={editor} onCancel={onCancel} />
        <p className="text-sm sm:ms-2 text-ink-faint">{hint}</p>
      </div>
    </form>
  )
}

interface EditorDialogProps extends EditorProps {
  title: string
  description?: ReactNode
  /** Further actions, before the two buttons. */
  extra?: ReactNode
}

/** A form in a dialog. Closing it keeps the typed text as a draft. */
export function EditorDialog(props: EditorDialogProps) {
  const { editor, title, description, children, action, unavailable, extra, onCancel } = props
  if (!editor.ready) return null
  return (
    <Dialog
      open
      onClose={onCancel}
      unclosable={editor.inProgress}
      title={title}
      description={description}
      onSubmit={editor.submit}
      width="wide"
      actions={
        <>
          {extra}
          <CancelButton variant="secondary" editor={editor} onCancel={onCancel} />
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

interface CancelButtonProps extends Pick<EditorProps, 'editor' | 'onCancel'> {
  variant: ButtonVariant
}

/** Cancel also discards the draft. */
const CancelButton = ({ variant, editor, onCancel }: CancelButtonProps) => (
  <Button
    variant={variant}
    unavailable={editor.inProgress}
    onClick={() => {
      editor.discard()
      onCancel()
    }}
  >
    {messages.cancel}
  </Button>
)
