import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { SkeletonForm } from '../../ui/display/skeleton.tsx'
import type { Editor } from './use-editor.tsx'
import { editingMessages as messages } from './messages.ts'

interface PlainFormProps {
  editor: Editor<never>
  /** The fields. */
  children: ReactNode
  /** Label of the submit button. */
  action: string
  /** Why it cannot be submitted now. */
  unavailable?: string | undefined
  /** Shown next to the button: a link, or what happens next. */
  aside?: ReactNode
  /** Makes the button as wide as the form, if the form is the whole page. */
  wide?: boolean
}

/** A form without a cancel button, because it is all the page shows. */
export function PlainForm(props: PlainFormProps) {
  const { editor, children, action, unavailable, aside, wide = false } = props
  if (!editor.ready) return <SkeletonForm label={messages.loading} />
  return (
    <form noValidate onSubmit={editor.submit} className="flex flex-col gap-5">
      {editor.head}
      {children}
      {editor.failure}
      <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          type="submit"
          variant="primary"
          busy={editor.busy}
          unavailable={unavailable}
          className={wide ? 'min-h-11 w-full' : ''}
        >
          {action}
        </Button>
        {aside}
      </div>
    </form>
  )
}
