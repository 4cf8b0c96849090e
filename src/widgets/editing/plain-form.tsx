import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import type { Editor } from './use-editor.tsx'

interface PlainFormProps {
  editor: Editor<never>
  /** The fields. */
  children: ReactNode
  /** The word on the button that says it. */
  action: string
  /** Why it cannot be said now. */
  unavailable?: string | undefined
  /** What stands beside the button: another way on, or what becomes of it. */
  beside?: ReactNode
  /** The button is as wide as the form: where the form is the whole page. */
  wide?: boolean
}

/** A form that is all there is to do in its place, so there is nothing to cancel. */
export function PlainForm(props: PlainFormProps) {
  const { editor, children, action, unavailable, beside, wide = false } = props
  if (!editor.ready) return null
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
        {beside}
      </div>
    </form>
  )
}
