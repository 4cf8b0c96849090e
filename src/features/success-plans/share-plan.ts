import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { toast } from '../../ui/overlay/toast.tsx'
import { shareMessages as messages } from './plan-messages.ts'

/** Whether the device has a share sheet; otherwise the link is copied. */
export const canShare = (): boolean => typeof navigator.share === 'function'

/** Opens the share sheet with the plan's link, or copies the link and confirms that with a toast. */
export async function sharePlan({ id, title }: SuccessPlan): Promise<void> {
  const url = `${location.origin}/success-plans/${id}`
  try {
    if (canShare()) return await navigator.share({ title, url })
    await navigator.clipboard.writeText(url)
    toast(messages.copied)
  } catch (problem) {
    // The user closed the share sheet.
    if (problem instanceof DOMException && problem.name === 'AbortError') return
    toast(messages.refused(url))
  }
}
