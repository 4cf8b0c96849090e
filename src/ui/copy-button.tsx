import { Button } from './button.tsx'
import { toast } from './overlay/toast.tsx'

interface CopyButtonProps {
  /** The text to copy. */
  text: string
  label: string
  /** Toasts after success, and when the browser refused. */
  done: string
  failed: string
}

/** Copies a text to the clipboard and confirms it with a toast. */
export function CopyButton({ text, label, done, failed }: CopyButtonProps) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      toast(done)
    } catch {
      toast(failed)
    }
  }
  return (
    <Button variant="quiet" onClick={() => void copy()}>
      {label}
    </Button>
  )
}
