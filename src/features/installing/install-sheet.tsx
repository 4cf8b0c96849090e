import { Download } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { install, useInstallState } from '../../ui/platform/install.ts'
import { InstallSteps } from './install-steps.tsx'
import { installMessages as messages } from './messages.ts'

/** Installs the app: with one button where the browser supports it, otherwise with instructions. */
export function InstallSheet({ onClose }: { onClose: () => void }) {
  const installing = useInstallState()
  return (
    <Dialog
      open
      onClose={onClose}
      width="wide"
      title={messages.title}
      description={messages.lead}
      actions={
        installing === 'offered' && (
          <Button
            variant="primary"
            onClick={() => void install().then((wanted) => wanted && onClose())}
          >
            <Download aria-hidden />
            {messages.install}
          </Button>
        )
      }
    >
      {installing === 'installed' && <p className="text-sm">{messages.installed}</p>}
      {installing !== 'installed' && installing !== 'offered' && (
        <InstallSteps browser={installing} />
      )}
    </Dialog>
  )
}
