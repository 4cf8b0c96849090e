import { Notice } from '../../ui/display/notice.tsx'
import { cachedConfig, useConfiguration } from './cached-config.ts'
import { mailNoticeMessages as messages } from './mail-notice-messages.ts'

/** The toast for a mail: `sent`, or that it was written, at a server that sends none (see `MailNotice`). */
export const mailToast = (sent: string): string =>
  cachedConfig.get().mail === 'folder' ? messages.written : sent

/** Where the server sends no mail, says so, for screens that send one. */
export function MailNotice() {
  const { mail } = useConfiguration()
  if (mail !== 'folder') return null
  return (
    <div className="my-4">
      <Notice tone="warn">{messages.folder}</Notice>
    </div>
  )
}
