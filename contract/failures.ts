/** Types of the failures that activities and update validators throw deliberately. */
export const failureTypes = {
  deliveryNotFound: 'DeliveryNotFound',
  candidateNotFound: 'CandidateNotFound',
  containerNotFound: 'ContainerNotFound',
  containerNotReady: 'ContainerNotReady',
  containerEnded: 'ContainerEnded',
  rotationNotFound: 'RotationNotFound',
  destinationNotFound: 'DestinationNotFound',
  testEventNotFound: 'TestEventNotFound',
  replayNotFound: 'ReplayNotFound',
  invitationNotFound: 'InvitationNotFound',
  registrationNotFound: 'RegistrationNotFound',
  workerStopping: 'WorkerStopping',
  noticeNotFound: 'NoticeNotFound',
  mailNotConfigured: 'MailNotConfigured',
  mailNotSent: 'MailNotSent',
} as const;
