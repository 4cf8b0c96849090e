import { Notice } from '../../ui/display/notice.tsx'
import { cachedConfig, useConfiguration } from './cached-config.ts'
import { mailNoticeMessages as messages } from './mail-notice-messages.ts'

/** What to say once a mail is sent: `sent`, or where the server sends none, that it is written: a notice says where. */
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
