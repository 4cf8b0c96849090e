import { Notice } from '../../ui/display/notice.tsx'
import { useConfiguration } from './cached-config.ts'
import { mailNoticeMessages as messages } from './mail-notice-messages.ts'

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
