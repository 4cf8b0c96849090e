import { Copy } from 'lucide-react'
import { Button } from './button.tsx'
import { toast } from './overlay/toast.tsx'

interface CopyButtonProps {
  /** What goes to the clipboard. */
  text: string
  label: string
  /** What is said when it is there, and when the browser refused. */
  done: string
  refused: string
}

/** Puts a text on the clipboard, and says whether it got there. */
export function CopyButton({ text, label, done, refused }: CopyButtonProps) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      toast(done)
    } catch {
      toast(refused)
    }
  }
  return (
    <Button variant="quiet" onClick={() => void copy()}>
      <Copy aria-hidden />
      {label}
    </Button>
  )
}
