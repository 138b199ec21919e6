// Written by `npm run format` from the OpenAPI document.
export interface paths {
  '/.well-known/oauth-protected-resource': {
    parameters: {};
    /** Tells a client how this API is protected and where to read how to get a key (RFC 9728) */
    get: operations['getProtectedResource'];
  };
  '/.well-known/oauth-protected-resource/mcp': {
    parameters: {};
    /** The same for the tools at /mcp */
    get: operations['getProtectedResourceOfMcp'];
  };
  '/agent/auth/claim': {
    parameters: {};
    /** Sends a code to an e-mail address, for an agent that wants a key; the same answer for every address */
    post: operations['claimAgentCredential'];
  };
  '/agent/auth/claim/complete': {
    parameters: {};
    /** Exchanges the code for an API key with scopes */
    post: operations['completeAgentClaim'];
  };
  '/agent/credentials': {
    parameters: {};
    /**
     * Lists the person's agent credentials, and everybody's of an organization for its admins; newest first
     * @description Needs the scope `credentials.manage` where the credential is limited.
     */
    get: operations['listAgentCredentials'];
  };
  '/agent/credentials/{ac}': {
    parameters: {};
    /** Revokes an agent credential at once; an agent may revoke only its own */
    delete: operations['revokeAgentCredential'];
  };
  '/agent/credentials/{ac}/reveals': {
    parameters: {};
    /**
     * Lists the secrets that an agent has read, also after its credential was revoked; newest first
     * @description Needs the scope `credentials.manage` where the credential is limited.
     */
    get: operations['listCredentialReveals'];
  };
  '/agent/credentials/{ac}/rotate-revealed': {
    parameters: {};
    /**
     * Rotates the present secrets that an agent has read, and ends its own channel tokens
     * @description For people in a session and API keys only.
     */
    post: operations['rotateCredentialReveals'];
  };
  '/agent/credentials/eligible-scopes': {
    parameters: {};
    /** Lists the scopes that the person can hand to an agent, by organization, newest first */
    get: operations['getEligibleScopes'];
  };
  '/auth.md': {
    parameters: {};
    /** Tells an agent how to get a key of its own by e-mail code */
    get: operations['readAgentGuide'];
  };
  '/auth/refresh': {
    parameters: {};
    /** Gives a new access token and a new refresh token for the one shown */
    post: operations['refreshSession'];
  };
  '/auth/session': {
    parameters: {};
    /** Says who calls, by what kind of credential, and in which organizations */
    get: operations['getSession'];
  };
  '/auth/sign-in': {
    parameters: {};
    /** Sends a code of six digits to the address; the answer is the same whether or not it is known */
    post: operations['signIn'];
  };
  '/auth/sign-in/complete': {
    parameters: {};
    /** Takes the code and begins a session: a cookie for browsers, tokens for others */
    post: operations['completeSignIn'];
  };
  '/auth/sign-out': {
    parameters: {};
    /**
     * Ends the session
     * @description For people in a session only.
     */
    post: operations['signOut'];
  };
  '/auth/sign-out-everywhere': {
    parameters: {};
    /**
     * Ends every session of the person, at once
     * @description For people in a session only.
     */
    post: operations['signOutEverywhere'];
  };
  '/channels/{ch}/chatapp/media': {
    parameters: {};
    /**
     * Uploads a file for messages; nobody is sent anything by it
     * @description Needs the scope `message.send` where the credential is limited.
     */
    post: operations['uploadChatappMedia'];
  };
  '/channels/{ch}/chatapp/media/{mediaId}': {
    parameters: {};
    /**
     * Returns a file that was uploaded or that came with a message
     * @description Needs the scope `messages.read` where the credential is limited.
     */
    get: operations['downloadChatappMedia'];
  };
  '/channels/{ch}/chatapp/templates': {
    parameters: {};
    /**
     * Lists the message templates of the number's business account
     * @description Needs the scope `channel.read` where the credential is limited.
     */
    get: operations['listChatappTemplates'];
  };
  '/channels/{ch}/destinations': {
    parameters: {};
    /**
     * Lists where the channel's events go, and how each destination is doing
     * @description Needs the scope `deliveries.read` where the credential is limited.
     */
    get: operations['listChannelDestinations'];
    /**
     * Sets whether events go to a destination in order within their conversation
     * @description Needs the scope `webhook.manage` where the credential is limited. Needs the role of workspace admin.
     */
    patch: operations['setDestinationOrdering'];
  };
  '/channels/{ch}/listeners': {
    parameters: {};
    /**
     * Lists the channel's listeners, newest first
     * @description Needs the scope `deliveries.read` where the credential is limited.
     */
    get: operations['listListeners'];
    /**
     * Adds a listener, which keeps the channel's events for whoever reads them
     * @description Needs the scope `webhook.manage` where the credential is limited.
     */
    post: operations['createListener'];
  };
  '/channels/{ch}/listeners/{lst}': {
    parameters: {};
    /**
     * Returns one listener
     * @description Needs the scope `deliveries.read` where the credential is limited.
     */
    get: operations['getListener'];
    /**
     * Deletes a listener; deliveries that wait for it are cancelled
     * @description Needs the scope `webhook.manage` where the credential is limited.
     */
    delete: operations['deleteListener'];
  };
  '/channels/{ch}/listeners/{lst}/acknowledge': {
    parameters: {};
    /**
     * Records what came of deliveries that were read; those that were not to be read again have ended then
     * @description Needs the scope `webhook.manage` where the credential is limited.
     */
    post: operations['acknowledgeDeliveries'];
  };
  '/channels/{ch}/listeners/{lst}/deliveries': {
    parameters: {};
    /**
     * Returns the deliveries that wait for the listener, in order, signed as a POST of them; waits for one if asked to
     * @description Needs the scope `webhook.manage` where the credential is limited.
     */
    get: operations['readListener'];
  };
  '/channels/{ch}/messages': {
    parameters: {};
    /**
     * Sends a message from the channel
     * @description Needs the scope `message.send` where the credential is limited.
     */
    post: operations['sendMessage'];
  };
  '/channels/{ch}/messages/{messageId}/read': {
    parameters: {};
    /**
     * Marks a message that came in as read
     * @description Needs the scope `message.send` where the credential is limited.
     */
    post: operations['markMessageRead'];
  };
  '/channels/{ch}/move': {
    parameters: {};
    /**
     * Moves the channel to another workspace of the organization; events and deliveries so far stay where they are
     * @description Needs the scope `channel.manage` where the credential is limited. Needs the role of organization admin.
     */
    post: operations['moveChannel'];
  };
  '/channels/{ch}/outbound-calls': {
    parameters: {};
    /**
     * Lists the calls that left for the platform on behalf of the channel, newest first
     * @description Needs the scope `channel.read` where the credential is limited.
     */
    get: operations['listOutboundCalls'];
  };
  '/channels/{ch}/pageapp/comments': {
    parameters: {};
    /**
     * Lists the comments on a post, with the replies to them
     * @description Needs the scope `channel.read` where the credential is limited.
     */
    get: operations['listPageappComments'];
  };
  '/channels/{ch}/pageapp/comments/{commentId}/moderate': {
    parameters: {};
    /**
     * Hides, shows or deletes a comment
     * @description Needs the scope `channel.manage` where the credential is limited.
     */
    post: operations['moderatePageappComment'];
  };
  '/channels/{ch}/pageapp/comments/{commentId}/replies': {
    parameters: {};
    /**
     * Replies to a comment, in public or as a message to who wrote it
     * @description Needs the scope `channel.manage` where the credential is limited.
     */
    post: operations['replyToPageappComment'];
  };
  '/channels/{ch}/pageapp/conversations': {
    parameters: {};
    /**
     * Lists the Page's conversations, or one with its messages
     * @description Needs the scope `messages.read` where the credential is limited.
     */
    get: operations['listPageappConversations'];
  };
  '/channels/{ch}/pageapp/insights': {
    parameters: {};
    /**
     * Returns metrics of the Page or of a post
     * @description Needs the scope `channel.read` where the credential is limited.
     */
    get: operations['getPageappInsights'];
  };
  '/channels/{ch}/pageapp/page': {
    parameters: {};
    /**
     * Returns the Page
     * @description Needs the scope `channel.read` where the credential is limited.
     */
    get: operations['getPageappPage'];
  };
  '/channels/{ch}/pageapp/posts': {
    parameters: {};
    /**
     * Lists the Page's posts
     * @description Needs the scope `channel.read` where the credential is limited.
     */
    get: operations['listPageappPosts'];
    /**
     * Publishes a text, link, photo or video
     * @description Needs the scope `channel.manage` where the credential is limited.
     */
    post: operations['publishPageappPost'];
  };
  '/channels/{ch}/pageapp/posts/{postId}': {
    parameters: {};
    /**
     * Deletes a post
     * @description Needs the scope `channel.manage` where the credential is limited.
     */
    delete: operations['deletePageappPost'];
  };
  '/channels/{ch}/pageapp/reels': {
    parameters: {};
    /**
     * Publishes a reel, which the platform fetches from its URL
     * @description Needs the scope `channel.manage` where the credential is limited.
     */
    post: operations['publishPageappReel'];
  };
  '/channels/{ch}/photoapp/account': {
    parameters: {};
    /**
     * Returns the account, with its quota of posts where that is asked for
     * @description Needs the scope `channel.read` where the credential is limited.
     */
    get: operations['getPhotoappAccount'];
  };
  '/channels/{ch}/photoapp/comments': {
    parameters: {};
    /**
     * Lists the comments on a media, or the replies to a comment
     * @description Needs the scope `channel.read` where the credential is limited.
     */
    get: operations['listPhotoappComments'];
  };
  '/channels/{ch}/photoapp/comments/{commentId}/moderate': {
    parameters: {};
    /**
     * Hides, shows or deletes a comment
     * @description Needs the scope `channel.manage` where the credential is limited.
     */
    post: operations['moderatePhotoappComment'];
  };
  '/channels/{ch}/photoapp/comments/{commentId}/replies': {
    parameters: {};
    /**
     * Replies to a comment, in public or as a message to who wrote it
     * @description Needs the scope `channel.manage` where the credential is limited.
     */
    post: operations['replyToPhotoappComment'];
  };
  '/channels/{ch}/photoapp/containers': {
    parameters: {};
    /**
     * Lists the media containers of the channel, newest first
     * @description Needs the scope `channel.read` where the credential is limited.
     */
    get: operations['listContainers'];
    /**
     * Makes a media container, and answers when the platform has taken it
     * @description Needs the scope `channel.manage` where the credential is limited.
     */
    post: operations['createContainer'];
  };
  '/channels/{ch}/photoapp/containers/{ctr}': {
    parameters: {};
    /**
     * Returns one media container with its status
     * @description Needs the scope `channel.read` where the credential is limited.
     */
    get: operations['getContainer'];
  };
  '/channels/{ch}/photoapp/containers/{ctr}/publish': {
    parameters: {};
    /**
     * Publishes a finished media container, once however often it is asked for
     * @description Needs the scope `channel.manage` where the credential is limited.
     */
    post: operations['publishContainer'];
  };
  '/channels/{ch}/photoapp/conversations': {
    parameters: {};
    /**
     * Lists the account's conversations, or one with its messages
     * @description Needs the scope `messages.read` where the credential is limited.
     */
    get: operations['listPhotoappConversations'];
  };
  '/channels/{ch}/photoapp/insights': {
    parameters: {};
    /**
     * Returns metrics of the account or of a media
     * @description Needs the scope `channel.read` where the credential is limited.
     */
    get: operations['getPhotoappInsights'];
  };
  '/channels/{ch}/photoapp/media': {
    parameters: {};
    /**
     * Lists the account's posts or stories, or what others tag it in
     * @description Needs the scope `channel.read` where the credential is limited.
     */
    get: operations['listPhotoappMedia'];
  };
  '/channels/{ch}/photoapp/media/{mediaId}/moderate': {
    parameters: {};
    /**
     * Allows comments on a media, or no longer
     * @description Needs the scope `channel.manage` where the credential is limited.
     */
    post: operations['moderatePhotoappMedia'];
  };
  '/channels/{ch}/photoapp/mentions': {
    parameters: {};
    /**
     * Lists what tags the account, or returns what mentions it
     * @description Needs the scope `channel.read` where the credential is limited.
     */
    get: operations['listPhotoappMentions'];
  };
  '/channels/{ch}/statistics': {
    parameters: {};
    /**
     * Counts the deliveries of each destination over time, with their latency
     * @description Needs the scope `deliveries.read` where the credential is limited.
     */
    get: operations['getChannelStatistics'];
  };
  '/channels/{ch}/subscriptions': {
    parameters: {};
    /**
     * Lists the channel's event subscriptions, newest first
     * @description Needs the scope `channel.read` where the credential is limited.
     */
    get: operations['listSubscriptions'];
    /**
     * Adds a URL that receives some of the channel's events
     * @description Needs the scope `webhook.manage` where the credential is limited. Needs the role of workspace admin.
     */
    post: operations['createSubscription'];
  };
  '/channels/{ch}/subscriptions/{sub}': {
    parameters: {};
    /**
     * Returns one event subscription
     * @description Needs the scope `channel.read` where the credential is limited.
     */
    get: operations['getSubscription'];
    /**
     * Deletes an event subscription; deliveries that wait for it are cancelled
     * @description Needs the scope `webhook.manage` where the credential is limited. Needs the role of workspace admin.
     */
    delete: operations['deleteSubscription'];
    /**
     * Changes an event subscription; of two edits at once the later wins
     * @description Needs the scope `webhook.manage` where the credential is limited. Needs the role of workspace admin.
     */
    patch: operations['editSubscription'];
  };
  '/channels/{ch}/subscriptions/{sub}/test': {
    parameters: {};
    /**
     * Sends a sample event to the subscription and answers with the attempt
     * @description Needs the scope `webhook.manage` where the credential is limited. Needs the role of workspace admin.
     */
    post: operations['testSubscription'];
  };
  '/channels/{ch}/typing': {
    parameters: {};
    /**
     * Shows the person that an answer is being written, for some 25 seconds or until it is sent
     * @description Needs the scope `message.send` where the credential is limited.
     */
    post: operations['showTyping'];
  };
  '/deliveries': {
    parameters: {};
    /**
     * Lists deliveries, newest first, without payload and attempts
     * @description Needs the scope `deliveries.read` where the credential is limited.
     */
    get: operations['listDeliveries'];
  };
  '/deliveries/{wd}': {
    parameters: {};
    /**
     * Returns one delivery with its payload and attempts
     * @description Needs the scope `deliveries.read` where the credential is limited.
     */
    get: operations['getDelivery'];
  };
  '/deliveries/{wd}/cancel': {
    parameters: {};
    /**
     * Cancels a delivery that waits; one that has ended is refused
     * @description Needs the scope `deliveries.replay` where the credential is limited.
     */
    post: operations['cancelDelivery'];
  };
  '/deliveries/{wd}/replay': {
    parameters: {};
    /**
     * Sends the event again as a new delivery, outside the order of its conversation
     * @description Needs the scope `deliveries.replay` where the credential is limited.
     */
    post: operations['replayDelivery'];
  };
  '/deliveries/{wd}/retry': {
    parameters: {};
    /**
     * Sends a waiting delivery now, or begins a new schedule for one that has ended
     * @description Needs the scope `deliveries.replay` where the credential is limited.
     */
    post: operations['retryDelivery'];
  };
  '/deliveries/stream': {
    parameters: {};
    /**
     * Streams changes of deliveries of a channel or a workspace as server-sent events, and goes on after Last-Event-ID
     * @description Needs the scope `deliveries.read` where the credential is limited.
     */
    get: operations['streamDeliveries'];
  };
  '/healthz': {
    parameters: {};
    /** Says that the process is up */
    get: operations['getHealth'];
  };
  '/invitations/accept': {
    parameters: {};
    /**
     * Accepts an invitation, once, as the person whom it was sent to; who is a member already keeps their role
     * @description For people in a session only.
     */
    post: operations['acceptInvitation'];
  };
  '/organizations/{org}': {
    parameters: {};
    /**
     * Returns the credential's organization
     * @description Needs the scope `workspace.read` where the credential is limited.
     */
    get: operations['getOrganization'];
    /**
     * Renames an organization
     * @description For people in a session and API keys only. Needs the role of organization admin.
     */
    patch: operations['updateOrganization'];
  };
  '/organizations/{org}/audit-entries': {
    parameters: {};
    /**
     * Lists what was done in the organization that matters to its security, newest first
     * @description For people in a session and API keys only. Needs the role of organization admin.
     */
    get: operations['listAuditEntries'];
  };
  '/organizations/{org}/invitations': {
    parameters: {};
    /**
     * Lists the invitations of an organization, newest first
     * @description For people in a session and API keys only. Needs the role of organization admin.
     */
    get: operations['listInvitations'];
    /**
     * Invites a person by e-mail, to the organization and perhaps to one of its workspaces; good for seven days
     * @description For people in a session and API keys only. Needs the role of organization admin.
     */
    post: operations['createInvitation'];
  };
  '/organizations/{org}/invitations/{inv}': {
    parameters: {};
    /**
     * Takes an open invitation back
     * @description For people in a session and API keys only. Needs the role of organization admin.
     */
    delete: operations['revokeInvitation'];
  };
  '/organizations/{org}/keys': {
    parameters: {};
    /**
     * Lists the keys that are not revoked, agents' keys too, newest first; none is shown in full
     * @description For people in a session only. Needs the role of organization admin.
     */
    get: operations['listApiKeys'];
    /**
     * Makes an API key with full access to the organization
     * @description For people in a session only. Needs the role of organization admin.
     */
    post: operations['createApiKey'];
  };
  '/organizations/{org}/keys/{key}': {
    parameters: {};
    /**
     * Ends a key at once
     * @description For people in a session only. Needs the role of organization admin.
     */
    delete: operations['revokeApiKey'];
  };
  '/organizations/{org}/keys/{key}/reveal': {
    parameters: {};
    /**
     * Shows a key in full; never an agent's key, which speaks for a person
     * @description For people in a session only. Needs the role of organization admin.
     */
    post: operations['revealApiKey'];
  };
  '/organizations/{org}/members': {
    parameters: {};
    /**
     * Lists the members of an organization, newest first
     * @description For people in a session and API keys only. Needs the role of organization admin.
     */
    get: operations['listOrganizationMembers'];
  };
  '/organizations/{org}/members/{usr}': {
    parameters: {};
    /**
     * Removes a person from the organization and its workspaces; their agents' keys end at once
     * @description For people in a session and API keys only. Needs the role of organization admin.
     */
    delete: operations['removeOrganizationMember'];
    /**
     * Changes a member's role; the last admin stays one
     * @description For people in a session and API keys only. Needs the role of organization admin.
     */
    patch: operations['changeOrganizationMember'];
  };
  '/organizations/{org}/members/{usr}/keys': {
    parameters: {};
    /**
     * Lists the valid API keys that a person made or was shown, also after they left; newest first
     * @description For people in a session and API keys only. Needs the role of organization admin.
     */
    get: operations['listMemberKeys'];
  };
  '/organizations/{org}/members/{usr}/reveals': {
    parameters: {};
    /**
     * Lists the secrets that a person, their keys and their agents have read, also after they left; newest first
     * @description For people in a session and API keys only. Needs the role of organization admin.
     */
    get: operations['listMemberReveals'];
  };
  '/organizations/{org}/members/{usr}/revoke-keys': {
    parameters: {};
    /**
     * Revokes API keys that a person made, all of them or those that are named
     * @description For people in a session only. Needs the role of organization admin.
     */
    post: operations['revokeMemberKeys'];
  };
  '/organizations/{org}/members/{usr}/rotate-revealed': {
    parameters: {};
    /**
     * Rotates the present secrets that a person, their keys and their agents have read
     * @description For people in a session and API keys only. Needs the role of organization admin.
     */
    post: operations['rotateMemberReveals'];
  };
  '/organizations/{org}/onboarding-links': {
    parameters: {};
    /**
     * Lists an organization's onboarding links, newest first, the revoked ones too
     * @description Needs the scope `channel.connect` where the credential is limited. Needs the role of organization admin.
     */
    get: operations['listOnboardingLinks'];
    /**
     * Makes a link that a customer opens to connect a channel; it may be used for several accounts
     * @description Needs the scope `channel.connect` where the credential is limited. Needs the role of organization admin.
     */
    post: operations['createOnboardingLink'];
  };
  '/organizations/{org}/onboarding-links/{ol}': {
    parameters: {};
    /**
     * Returns an onboarding link
     * @description Needs the scope `channel.connect` where the credential is limited. Needs the role of organization admin.
     */
    get: operations['getOnboardingLink'];
    /**
     * Revokes a link for good; whoever is in the middle of connecting through it is stopped
     * @description Needs the scope `channel.connect` where the credential is limited. Needs the role of organization admin.
     */
    delete: operations['revokeOnboardingLink'];
    /**
     * Changes the label or the workspace of a link that is not revoked
     * @description Needs the scope `channel.connect` where the credential is limited. Needs the role of organization admin.
     */
    patch: operations['changeOnboardingLink'];
  };
  '/organizations/{org}/onboarding-links/{ol}/regenerate': {
    parameters: {};
    /**
     * Gives a link that is not revoked a new address; the old one ends at once
     * @description Needs the scope `channel.connect` where the credential is limited. Needs the role of organization admin.
     */
    post: operations['regenerateOnboardingLink'];
  };
  '/organizations/{org}/workspaces': {
    parameters: {};
    /**
     * Lists the workspaces of an organization, newest first; `kind=customer` lists its customers, `externalId` finds one
     * @description Needs the scope `workspace.read` where the credential is limited.
     */
    get: operations['listWorkspaces'];
    /**
     * Creates a workspace, for a team or for a customer
     * @description Needs the scope `workspace.manage` where the credential is limited. Needs the role of organization admin.
     */
    post: operations['createWorkspace'];
  };
  '/platform/channels': {
    parameters: {};
    /**
     * Lists the channels of the workspace, newest first
     * @description Needs the scope `channel.read` where the credential is limited.
     */
    get: operations['listChannels'];
  };
  '/platform/channels/{ch}': {
    parameters: {};
    /**
     * Returns one channel
     * @description Needs the scope `channel.read` where the credential is limited.
     */
    get: operations['getChannel'];
  };
  '/platform/channels/{ch}/disable': {
    parameters: {};
    /**
     * Turns forwarding off; deliveries that wait are skipped
     * @description Needs the scope `channel.manage` where the credential is limited. Needs the role of workspace admin.
     */
    post: operations['disableChannel'];
  };
  '/platform/channels/{ch}/disconnect': {
    parameters: {};
    /**
     * Disconnects the channel from the platform; deliveries that wait are cancelled
     * @description Needs the scope `channel.manage` where the credential is limited. Needs the role of workspace admin.
     */
    post: operations['disconnectChannel'];
  };
  '/platform/channels/{ch}/enable': {
    parameters: {};
    /**
     * Turns forwarding on; what was skipped meanwhile is not sent
     * @description Needs the scope `channel.manage` where the credential is limited. Needs the role of workspace admin.
     */
    post: operations['enableChannel'];
  };
  '/platform/channels/{ch}/env': {
    parameters: {};
    /**
     * Returns what a client of the channel is set up with, as environment variables
     * @description Needs the scope `channel.reveal` where the credential is limited. Needs the role of workspace developer.
     */
    get: operations['getChannelEnv'];
  };
  '/platform/channels/{ch}/token': {
    parameters: {};
    /**
     * Returns the token that opens the channel at the gateway, minted when it is first asked for
     * @description Needs the scope `channel.reveal` where the credential is limited. Needs the role of workspace developer.
     */
    get: operations['getChannelToken'];
  };
  '/platform/channels/{ch}/token/rotate': {
    parameters: {};
    /**
     * Mints a new token; the one so far goes on for the overlap
     * @description Needs the scopes `channel.manage` and `channel.reveal` where the credential is limited. Needs the role of workspace admin.
     */
    post: operations['rotateChannelToken'];
  };
  '/platform/webhooks': {
    parameters: {};
    /** Answers the platform's handshake with its challenge */
    get: operations['answerHandshake'];
    /** Takes signed events of the platform; answers only after they are stored */
    post: operations['acceptPlatformEvents'];
  };
  '/readyz': {
    parameters: {};
    /** Says whether the process can serve: its database answers and has its schema */
    get: operations['getReadiness'];
  };
  '/replays': {
    parameters: {};
    /**
     * Lists replays of a channel, a workspace with its channels, or an organization, newest first
     * @description Needs the scope `deliveries.read` where the credential is limited.
     */
    get: operations['listReplays'];
    /**
     * Sends old events again, below live traffic and outside the order of conversations; or counts them only
     * @description Needs the scope `deliveries.replay` where the credential is limited.
     */
    post: operations['createReplay'];
  };
  '/replays/{rpl}': {
    parameters: {};
    /**
     * Returns one replay and what has become of what it sent
     * @description Needs the scope `deliveries.read` where the credential is limited.
     */
    get: operations['getReplay'];
  };
  '/replays/{rpl}/cancel': {
    parameters: {};
    /**
     * Ends a replay for good; what it has sent goes on as any delivery
     * @description Needs the scope `deliveries.replay` where the credential is limited.
     */
    post: operations['cancelReplay'];
  };
  '/replays/{rpl}/pause': {
    parameters: {};
    /**
     * Sends nothing more until the replay is resumed
     * @description Needs the scope `deliveries.replay` where the credential is limited.
     */
    post: operations['pauseReplay'];
  };
  '/replays/{rpl}/resume': {
    parameters: {};
    /**
     * Goes on with a replay that was paused
     * @description Needs the scope `deliveries.replay` where the credential is limited.
     */
    post: operations['resumeReplay'];
  };
  '/staff/audit-entries': {
    parameters: {};
    /**
     * Lists what staff did in any organization and what happened in none, newest first; the look is audited
     * @description For keys of staff only.
     */
    get: operations['listStaffAuditEntries'];
  };
  '/staff/channels/{ch}': {
    parameters: {};
    /**
     * Says how a channel of any organization is doing: what waits, and why; the look is audited
     * @description For keys of staff only.
     */
    get: operations['getChannelHealth'];
  };
  '/staff/deliveries': {
    parameters: {};
    /**
     * Searches the deliveries of all organizations, newest first; the search is audited
     * @description For keys of staff only.
     */
    get: operations['searchDeliveries'];
  };
  '/staff/deliveries/{wd}': {
    parameters: {};
    /**
     * Returns a delivery with its payload and attempts; its organization's audit log says who read it, and why
     * @description For keys of staff only.
     */
    get: operations['readStaffDelivery'];
  };
  '/staff/deliveries/{wd}/replay': {
    parameters: {};
    /**
     * Sends the event again as a new delivery, in the name of support
     * @description For keys of staff only.
     */
    post: operations['replayStaffDelivery'];
  };
  '/staff/deliveries/{wd}/retry': {
    parameters: {};
    /**
     * Sends a waiting delivery now, or begins a new schedule for one that has ended, in the name of support
     * @description For keys of staff only.
     */
    post: operations['retryStaffDelivery'];
  };
  '/staff/invariants': {
    parameters: {};
    /**
     * Says what the last daily check of the ledger found, rule by rule; the look is audited
     * @description For keys of staff only.
     */
    get: operations['readInvariants'];
  };
  '/staff/replays': {
    parameters: {};
    /**
     * Lists the replays of a channel, a workspace or an organization, newest first; the look is audited
     * @description For keys of staff only.
     */
    get: operations['listStaffReplays'];
    /**
     * Sends old events of any organization again, or counts them only; both are audited
     * @description For keys of staff only.
     */
    post: operations['createStaffReplay'];
  };
  '/staff/replays/{rpl}': {
    parameters: {};
    /**
     * Returns a replay of any organization and what has become of what it sent; the look is audited
     * @description For keys of staff only.
     */
    get: operations['getStaffReplay'];
  };
  '/staff/replays/{rpl}/cancel': {
    parameters: {};
    /**
     * Ends a replay for good, in the name of support; what it has sent goes on as any delivery
     * @description For keys of staff only.
     */
    post: operations['cancelStaffReplay'];
  };
  '/staff/replays/{rpl}/pause': {
    parameters: {};
    /**
     * Sends nothing more until the replay is resumed, in the name of support
     * @description For keys of staff only.
     */
    post: operations['pauseStaffReplay'];
  };
  '/staff/replays/{rpl}/resume': {
    parameters: {};
    /**
     * Goes on with a replay that was paused, in the name of support
     * @description For keys of staff only.
     */
    post: operations['resumeStaffReplay'];
  };
  '/staff/unrouted-events': {
    parameters: {};
    /**
     * Lists what the platform sent for no channel that we know, newest first; the look is audited
     * @description For keys of staff only.
     */
    get: operations['listUnroutedEvents'];
  };
  '/webhook-config/{ch}': {
    parameters: {};
    /**
     * Returns the channel's webhook destination
     * @description Needs the scope `webhook.manage` where the credential is limited.
     */
    get: operations['getWebhookConfig'];
    /**
     * Sets the webhook destination, after two probes of the URL have passed
     * @description Needs the scope `webhook.manage` where the credential is limited. Needs the role of workspace admin.
     */
    put: operations['putWebhookConfig'];
    /**
     * Clears the webhook destination; deliveries that wait for it are cancelled
     * @description Needs the scope `webhook.manage` where the credential is limited. Needs the role of workspace admin.
     */
    delete: operations['deleteWebhookConfig'];
  };
  '/webhook-config/{ch}/hmac': {
    parameters: {};
    /**
     * Returns the secret that signs deliveries
     * @description Needs the scopes `webhook.manage` and `channel.reveal` where the credential is limited. Needs the role of workspace developer.
     */
    get: operations['getWebhookHmac'];
  };
  '/webhook-config/{ch}/rotate-hmac': {
    parameters: {};
    /**
     * Draws a new signing secret; deliveries carry the signatures of both during the overlap
     * @description Needs the scopes `webhook.manage` and `channel.reveal` where the credential is limited. Needs the role of workspace admin.
     */
    post: operations['rotateWebhookHmac'];
  };
  '/webhook-config/{ch}/test': {
    parameters: {};
    /**
     * Sends a sample event to the webhook destination and answers with the attempt
     * @description Needs the scope `webhook.manage` where the credential is limited. Needs the role of workspace admin.
     */
    post: operations['testWebhook'];
  };
  '/workspaces/{ws}': {
    parameters: {};
    /**
     * Returns one workspace
     * @description Needs the scope `workspace.read` where the credential is limited.
     */
    get: operations['getWorkspace'];
    /**
     * Deletes a workspace and disconnects its channels; deliveries that wait are cancelled. An organization's last one stays
     * @description Needs the scope `workspace.manage` where the credential is limited. Needs the role of organization admin.
     */
    delete: operations['deleteWorkspace'];
    /**
     * Renames a workspace; the organization's admins may also change a customer's external id
     * @description Needs the scope `workspace.manage` where the credential is limited. Needs the role of workspace admin.
     */
    patch: operations['updateWorkspace'];
  };
  '/workspaces/{ws}/members': {
    parameters: {};
    /**
     * Lists the members of a workspace, newest first
     * @description Needs the scope `workspace.read` where the credential is limited.
     */
    get: operations['listWorkspaceMembers'];
  };
  '/workspaces/{ws}/members/{usr}': {
    parameters: {};
    /**
     * Makes a member of the organization one of the workspace, or changes their role there
     * @description Needs the scope `workspace.manage` where the credential is limited. Needs the role of workspace admin.
     */
    put: operations['putWorkspaceMember'];
    /**
     * Removes a person from the workspace; they stay in the organization
     * @description Needs the scope `workspace.manage` where the credential is limited. Needs the role of workspace admin.
     */
    delete: operations['removeWorkspaceMember'];
  };
}
export interface components {
  schemas: {
    Acknowledged: {
      /** @description How many attempts this request has recorded; a repeat, and what had ended otherwise, count as none. */
      acknowledged: number;
    };
    AcknowledgedDelivery: {
      /** @description `attempt` as it was read; tells a repeat of this request from another attempt. */
      attempt?: number;
      /** @description A delivery to this listener. */
      deliveryId: string;
      /** @description How long the local receiver took. */
      durationMs?: number;
      /** @description Why no answer came. */
      error?: string | null;
      /** @enum {string} */
      outcome: 'accepted' | 'rejected' | 'no_response';
      /** @description What it answered; the first 16 KiB are kept. */
      responseBody?: string | null;
      /** @description True leaves it waiting, behind all others, to be read again; it takes `attempt`. After 100 attempts it ends all the same. */
      retry?: boolean;
      /** @description HTTP status of the local answer. */
      status?: number | null;
    };
    AcknowledgeInput: {
      deliveries: components['schemas']['AcknowledgedDelivery'][];
    };
    AgentClaim: {
      /**
       * Format: date-time
       * @description Until when the code is taken.
       */
      expiresAt: string;
      message: string;
      /** @description To be sent back with the code. */
      registrationId: string;
    };
    AgentClaimCompletion: {
      /** @description The six digits from the e-mail. */
      otp: string;
      /** @description From the claim. */
      registrationId: string;
    };
    AgentClaimInput: {
      /** @description Where the code goes: the address of the person whom the agent acts for. */
      email: string;
      /** @description One of the person's organizations; the oldest one where it is left out. */
      organizationId?: string;
      /** @description What the agent wants to be allowed. */
      scopes: (
        | 'workspace.read'
        | 'workspace.manage'
        | 'channel.read'
        | 'channel.manage'
        | 'channel.reveal'
        | 'channel.connect'
        | 'webhook.manage'
        | 'messages.read'
        | 'message.send'
        | 'deliveries.read'
        | 'deliveries.replay'
        | 'credentials.manage'
      )[];
    };
    AgentCredential: {
      /** Format: date-time */
      createdAt: string;
      /** @description The agent credential. */
      credentialId: string;
      /** @description The person whom the agent acts for. */
      email: string;
      expiresAt: string | null;
      /** @description To within some minutes. */
      lastUsedAt: string | null;
      /** @description The organization. */
      organizationPublicId: string;
      scopes: (
        | 'workspace.read'
        | 'workspace.manage'
        | 'channel.read'
        | 'channel.manage'
        | 'channel.reveal'
        | 'channel.connect'
        | 'webhook.manage'
        | 'messages.read'
        | 'message.send'
        | 'deliveries.read'
        | 'deliveries.replay'
        | 'credentials.manage'
      )[];
    };
    AgentCredentialList: {
      credentials: components['schemas']['AgentCredential'][];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    AgentToken: {
      /** @description An API key with these scopes. It is shown only here. */
      accessToken: string;
      /** @description The agent credential. */
      credentialId: string;
      expiresAt: string | null;
      /** @description The organization. */
      organizationPublicId: string;
      /** @description What was asked for, as far as the person's role allows it. */
      scopes: (
        | 'workspace.read'
        | 'workspace.manage'
        | 'channel.read'
        | 'channel.manage'
        | 'channel.reveal'
        | 'channel.connect'
        | 'webhook.manage'
        | 'messages.read'
        | 'message.send'
        | 'deliveries.read'
        | 'deliveries.replay'
        | 'credentials.manage'
      )[];
      /** @constant */
      tokenType: 'Bearer';
    };
    ApiKey: {
      agentCredentialId: string | null;
      /** Format: date-time */
      createdAt: string;
      /** @description Null: the key stays until it is revoked. */
      expiresAt: string | null;
      /** @description The key. */
      keyId: string;
      /** @description The first 14 characters. */
      keyPrefix: string;
      /** @description The last 4 characters. */
      keySuffix: string;
      /** @description Up to half a minute late. */
      lastUsedAt: string | null;
      name: string;
      /** @description Null: full access to the organization. */
      scopes:
        | (
            | 'workspace.read'
            | 'workspace.manage'
            | 'channel.read'
            | 'channel.manage'
            | 'channel.reveal'
            | 'channel.connect'
            | 'webhook.manage'
            | 'messages.read'
            | 'message.send'
            | 'deliveries.read'
            | 'deliveries.replay'
            | 'credentials.manage'
          )[]
        | null;
    };
    ApiKeyList: {
      keys: components['schemas']['ApiKey'][];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    AuditEntry: {
      /** @description What was done, `noun.pastTense`. */
      action: string;
      actor: {
        /** @description `usr_…`, `key_…`, `ac_…`, or the name of a process. */
        id: string;
        /** @enum {string} */
        type: 'user' | 'api_key' | 'agent' | 'staff' | 'system';
      };
      /** Format: date-time */
      at: string;
      clientAddress: string | null;
      reason: string | null;
      requestId: string | null;
      /** @description What it was done to. */
      targetId: string | null;
      workspaceId: string | null;
    };
    AuditEntryList: {
      entries: components['schemas']['AuditEntry'][];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    Channel: {
      connected: boolean;
      connectionType: string;
      /** Format: date-time */
      createdAt: string;
      /** @description The credential that the channel is connected with. */
      credentialId: string;
      /** @description Why the service disconnected it by itself; null where it is connected, or was disconnected by request. */
      disconnectedReason: string | null;
      displayName: string;
      /** @description Whether events are delivered to the destinations. */
      forwardingEnabled: boolean;
      /** @description The channel. */
      id: string;
      linkedChannelId: string | null;
      /** @description Phone number id, account id or Page id at the platform. */
      metaResourceId: string;
      /** @description Of chatapp channels; null for the others. */
      phoneNumberId: string | null;
      /** @enum {string} */
      type: 'chatapp' | 'photoapp' | 'pageapp';
      /** Format: date-time */
      updatedAt: string;
      webhookUrl: string | null;
      /** @description The workspace that holds the channel. */
      workspaceId: string;
    };
    ChannelDestinationChange: {
      /** @description `webhook`, or the id of a subscription. A listener is always read in order. */
      destination: string;
      /**
       * @description `conversation`: a failing delivery holds back what follows it in its conversation. `none`: nothing waits for anything.
       * @enum {string}
       */
      ordering: 'conversation' | 'none';
    };
    ChannelDestinations: {
      /** @description No more than there can be, and so without pages: the webhook, 20 subscriptions, 20 listeners, and the last 50 old URLs that were kept. */
      destinations: components['schemas']['DestinationHealth'][];
    };
    ChannelEnv: {
      /** @enum {string} */
      channelType: 'chatapp' | 'photoapp' | 'pageapp';
      /** @description Environment variables by their names. */
      values:
        | {
            CHATAPP_ACCESS_TOKEN: string;
            CHATAPP_RESOURCE_ID: string;
            /** Format: uri */
            PLATFORM_GRAPH_API_URL: string;
            /** @description The channel. */
            SERVICE_CHANNEL_ID: string;
            /** @description The workspace that holds the channel. */
            SERVICE_WORKSPACE_ID: string;
            /** @description Of the webhook; empty where none is set. */
            VERIFY_TOKEN: string;
            /** @description Signs deliveries. */
            WEBHOOK_HMAC_SECRET: string;
          }
        | {
            PHOTOAPP_ACCESS_TOKEN: string;
            PHOTOAPP_RESOURCE_ID: string;
            /** Format: uri */
            PLATFORM_GRAPH_API_URL: string;
            /** @description The channel. */
            SERVICE_CHANNEL_ID: string;
            /** @description The workspace that holds the channel. */
            SERVICE_WORKSPACE_ID: string;
            /** @description Of the webhook; empty where none is set. */
            VERIFY_TOKEN: string;
            /** @description Signs deliveries. */
            WEBHOOK_HMAC_SECRET: string;
          }
        | {
            PAGEAPP_ACCESS_TOKEN: string;
            PAGEAPP_RESOURCE_ID: string;
            /** Format: uri */
            PLATFORM_GRAPH_API_URL: string;
            /** @description The channel. */
            SERVICE_CHANNEL_ID: string;
            /** @description The workspace that holds the channel. */
            SERVICE_WORKSPACE_ID: string;
            /** @description Of the webhook; empty where none is set. */
            VERIFY_TOKEN: string;
            /** @description Signs deliveries. */
            WEBHOOK_HMAC_SECRET: string;
          };
    };
    /** @enum {string} */
    ChannelEventType:
      'chatapp.message.received' | 'chatapp.message.status' | 'photoapp.message.received' | 'photoapp.comment.received';
    ChannelHealth: {
      /** @description The channel. */
      channelId: string;
      connected: boolean;
      destinations: components['schemas']['DestinationHealth'][];
      displayName: string;
      forwardingEnabled: boolean;
      /** @description Age of the oldest delivery that waits; what waits for the reader of a listener is left out. */
      oldestWaitingSeconds: number | null;
      /** @description Whose it is. */
      organizationId: string;
      organizationName: string;
      resourceId: string;
      /** @description The channel's workflows in the Temporal UI: those that run, and all. */
      temporalUrls: {
        all: string;
        troubled: string;
      } | null;
      /** @enum {string} */
      type: 'chatapp' | 'photoapp' | 'pageapp';
      /** @description Deliveries that wait, by status; for each destination counted up to 10,000. */
      waiting: {
        pending: number;
        retrying: number;
      };
      /** @description The workspace that it is in. */
      workspaceId: string;
    };
    ChannelList: {
      channels: components['schemas']['Channel'][];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    ChannelMoveInput: {
      /** @description Where the channel goes, within the organization. */
      workspaceId: string;
    };
    ChannelStatistics: {
      bucketSeconds: number;
      destinations: {
        /** @description Those with any delivery, oldest first. */
        buckets: components['schemas']['StatisticsBucket'][];
        label: string | null;
        subscriptionId: string | null;
        /** @enum {string} */
        type: 'webhook' | 'subscription' | 'listener';
        url: string | null;
      }[];
      /** @description False where the span holds more deliveries than are counted at once: the youngest are counted. */
      isComplete: boolean;
      /** Format: date-time */
      since: string;
      /** Format: date-time */
      until: string;
    };
    ChannelToken: {
      /**
       * Format: uri
       * @description The gateway's address with the platform's version for this type of channel.
       */
      baseUrl: string;
      /** @description Null: good until it is rotated. */
      expiresAt: string | null;
      /** @description What an agent's own token is limited to. Null: people and full keys share it, and it opens everything. */
      scopes: ('channel.read' | 'channel.manage' | 'messages.read' | 'message.send')[] | null;
      /** @description Opens this channel at the gateway, and nothing anywhere else. */
      token: string;
      /** @description Its first 14 characters, for showing it. */
      tokenPrefix: string;
      /** @description Its last 4 characters. */
      tokenSuffix: string;
    };
    ChatappMediaUploaded: {
      /** @description The channel. */
      channelId: string;
      /** @description For messages; the platform keeps it for some 30 days. */
      mediaId: string;
    };
    ChatappTemplate: {
      category: string | null;
      /** @description In the platform's own words, as messages that use them need them. */
      components: {
        [key: string]: unknown;
      }[];
      id: string;
      language: string | null;
      name: string;
      status: string | null;
    };
    ChatappTemplateList: {
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
      templates: components['schemas']['ChatappTemplate'][];
    };
    CircuitAhead: {
      /**
       * Format: date-time
       * @description When one delivery is tried; all others go once the receiver accepts one.
       */
      nextProbeAt: string;
      /** Format: date-time */
      openedAt: string;
      /**
       * @description `failures`: the receiver failed again and again. `retry_after`: it asked to be left alone.
       * @enum {string}
       */
      reason: 'failures' | 'retry_after';
    };
    CommentModeration: {
      /** @enum {string} */
      action: 'hide' | 'unhide' | 'delete';
      /** @description The channel. */
      channelId: string;
      commentId: string;
      ok: boolean;
    };
    CommentModerationInput: {
      /** @enum {string} */
      action: 'hide' | 'unhide' | 'delete';
    };
    CommentReply: {
      /** @description The channel. */
      channelId: string;
      commentId: string;
      /** @description Of a private one. */
      messageId: string | null;
      private: boolean;
      /** @description Of a public reply. */
      replyId: string | null;
    };
    Conversation: {
      id: string;
      /** @description Newest first; null in a list of conversations. */
      messages: components['schemas']['ConversationMessage'][] | null;
      participantId: string | null;
      participantName: string | null;
      snippet: string | null;
      unreadCount: number | null;
      updatedAt: string | null;
    };
    ConversationList: {
      conversations: components['schemas']['Conversation'][];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    ConversationMessage: {
      createdAt: string | null;
      fromId: string | null;
      fromName: string | null;
      id: string;
      text: string | null;
    };
    CreatedApiKey: {
      /** @description The key itself, `hmok_…`. */
      apiKey: string;
      /** Format: date-time */
      createdAt: string;
      /** @description Null: the key stays until it is revoked. */
      expiresAt: string | null;
      /** @description The key. */
      keyId: string;
      name: string;
      /** @description The organization that the key belongs to. */
      organizationPublicId: string;
    };
    CurrentSession: {
      credential: {
        /** @description `key_…`, `ac_…`, or for a session `usr_…`. */
        id: string;
        /**
         * @description A person's session, an API key, or an agent's key.
         * @enum {string}
         */
        kind: 'user' | 'api_key' | 'agent';
        /** @description Null: not limited to scopes. */
        scopes:
          | (
              | 'workspace.read'
              | 'workspace.manage'
              | 'channel.read'
              | 'channel.manage'
              | 'channel.reveal'
              | 'channel.connect'
              | 'webhook.manage'
              | 'messages.read'
              | 'message.send'
              | 'deliveries.read'
              | 'deliveries.replay'
              | 'credentials.manage'
            )[]
          | null;
      };
      organizations: {
        name: string;
        /** @description An organization that the caller can reach. */
        organizationId: string;
        /** @enum {string} */
        role: 'admin' | 'member';
      }[];
      user: {
        email: string;
        /** @description The person. */
        id: string;
      };
    };
    Delivery: {
      attempts: components['schemas']['DeliveryAttempt'][];
      /** @description The channel that the event came for. */
      channelId: string;
      /**
       * Format: date-time
       * @description When this delivery was made: with its event, or later where it is a replay. Lists go by it.
       */
      createdAt: string;
      /** @description The delivery: one event to one destination. */
      deliveryId: string;
      /** @description Null where the channel had none. */
      destination: components['schemas']['DeliveryDestination'] | null;
      /** @description The event. */
      eventId: string;
      /** @enum {string} */
      eventType:
        | 'chatapp.message.received'
        | 'chatapp.message.status'
        | 'photoapp.message.received'
        | 'photoapp.comment.received'
        | 'pageapp.message.received'
        | 'pageapp.message.reaction'
        | 'pageapp.message.read'
        | 'pageapp.message.delivered'
        | 'pageapp.postback.received'
        | 'pageapp.comment.received'
        | 'pageapp.post.changed'
        | 'chatapp.other.received'
        | 'photoapp.other.received'
        | 'pageapp.other.received';
      /** @description Not before: its place in the retry schedule, or the next probe of the circuit that it waits for, the later of both. */
      nextAttemptAt: string | null;
      /** @description The stored bytes, which are signed and sent, as UTF-8. */
      payload: string;
      platformMessageId: string | null;
      /**
       * Format: date-time
       * @description When the event came.
       */
      receivedAt: string;
      /** @description Null where none did; a delivery that was replayed by itself has only `replayOf`. */
      replayId: string | null;
      /** @description Null for one that was made when its event came. */
      replayOf: string | null;
      sender: string | null;
      skipReason: ('forwarding_disabled' | 'no_destination' | 'destination_disabled') | null;
      /** @enum {string} */
      status: 'pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped';
      /** @description Why it waits although nothing is wrong with it: its destination is left alone. Null where it waits for none. */
      waitsForCircuit: components['schemas']['CircuitAhead'] | null;
      /** @description The workflow that carries a delivery through its retries. */
      workflowId: string | null;
    };
    DeliveryAttempt: {
      durationMs: number;
      error: string | null;
      number: number;
      /** @enum {string} */
      outcome: 'accepted' | 'rejected' | 'no_response' | 'blocked';
      /** @description The first 16 KiB of the answer, as UTF-8. */
      responseBody: string | null;
      responseHeaders: {
        [key: string]: string | string[];
      };
      /** Format: date-time */
      startedAt: string;
      /** @description HTTP status of the answer; null where none came. */
      status: number | null;
    };
    DeliveryCancel: {
      /** @description The delivery. */
      deliveryId: string;
      /** @constant */
      status: 'cancelled';
    };
    DeliveryDestination: {
      label: string | null;
      listenerId: string | null;
      subscriptionId: string | null;
      /** @enum {string} */
      type: 'webhook' | 'subscription' | 'listener';
      url: string | null;
    };
    DeliveryList: {
      deliveries: components['schemas']['DeliverySummary'][];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    DeliveryReplayInput: {
      /** @description `webhook`, or the id of a subscription or a listener; the delivery's own destination unless given. */
      destination?: string;
    };
    DeliveryRetry: {
      /** @description The delivery. */
      deliveryId: string;
      /** @enum {string} */
      status: 'pending' | 'retrying';
    };
    DeliverySummary: {
      /** @description The channel that the event came for. */
      channelId: string;
      /**
       * Format: date-time
       * @description When this delivery was made: with its event, or later where it is a replay. Lists go by it.
       */
      createdAt: string;
      /** @description The delivery: one event to one destination. */
      deliveryId: string;
      /** @description Null where the channel had none. */
      destination: components['schemas']['DeliveryDestination'] | null;
      /** @description The event. */
      eventId: string;
      /** @enum {string} */
      eventType:
        | 'chatapp.message.received'
        | 'chatapp.message.status'
        | 'photoapp.message.received'
        | 'photoapp.comment.received'
        | 'pageapp.message.received'
        | 'pageapp.message.reaction'
        | 'pageapp.message.read'
        | 'pageapp.message.delivered'
        | 'pageapp.postback.received'
        | 'pageapp.comment.received'
        | 'pageapp.post.changed'
        | 'chatapp.other.received'
        | 'photoapp.other.received'
        | 'pageapp.other.received';
      /** @description Not before: its place in the retry schedule, or the next probe of the circuit that it waits for, the later of both. */
      nextAttemptAt: string | null;
      platformMessageId: string | null;
      /**
       * Format: date-time
       * @description When the event came.
       */
      receivedAt: string;
      /** @description Null where none did; a delivery that was replayed by itself has only `replayOf`. */
      replayId: string | null;
      /** @description Null for one that was made when its event came. */
      replayOf: string | null;
      sender: string | null;
      skipReason: ('forwarding_disabled' | 'no_destination' | 'destination_disabled') | null;
      /** @enum {string} */
      status: 'pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped';
      /** @description Why it waits although nothing is wrong with it: its destination is left alone. Null where it waits for none. */
      waitsForCircuit: components['schemas']['CircuitAhead'] | null;
      /** @description The workflow that carries a delivery through its retries. */
      workflowId: string | null;
    };
    DestinationHealth: {
      circuit: {
        nextProbeAt: string | null;
        openedAt: string | null;
        reason: ('failures' | 'retry_after') | null;
        /** @enum {string} */
        state: 'closed' | 'open';
        /** @description In the Temporal UI; null where none is known. */
        temporalUrl: string | null;
      };
      consecutiveFailures: number;
      /** @description Why nothing is sent: the receiver answered 410 twice (`gone`), it failed for days without any success (`failing`), or somebody disabled it (`by_hand`). Null while it is enabled. */
      disabledReason: ('gone' | 'failing' | 'by_hand') | null;
      enabled: boolean;
      /** @description The first failure after the last success. */
      failingSince: string | null;
      /** @description An old URL, kept for the deliveries that waited when it was edited. */
      isKept: boolean;
      label: string | null;
      lastDeliveredAt: string | null;
      lastFailureAt: string | null;
      listenerId: string | null;
      oldestWaitingAt: string | null;
      /**
       * @description `conversation`: in order within each conversation; `none`: each event as soon as it can.
       * @enum {string}
       */
      ordering: 'conversation' | 'none';
      subscriptionId: string | null;
      /** @enum {string} */
      type: 'webhook' | 'subscription' | 'listener';
      url: string | null;
      /** @description Deliveries that wait, by status; for each destination counted up to 10,000. */
      waiting: {
        pending: number;
        retrying: number;
      };
    };
    DestinationTest: {
      attempt: components['schemas']['DeliveryAttempt'];
      /** @description The channel. */
      channelId: string;
      /** @description As the headers said it. There is no delivery of this id: a test is not logged. */
      deliveryId: string;
      /** @description As the header said it. */
      eventId: string;
      /** @enum {string} */
      eventType:
        | 'chatapp.message.received'
        | 'chatapp.message.status'
        | 'photoapp.message.received'
        | 'photoapp.comment.received'
        | 'pageapp.message.received'
        | 'pageapp.message.reaction'
        | 'pageapp.message.read'
        | 'pageapp.message.delivered'
        | 'pageapp.postback.received'
        | 'pageapp.comment.received'
        | 'pageapp.post.changed'
        | 'chatapp.other.received'
        | 'photoapp.other.received'
        | 'pageapp.other.received';
      /** @description The sample that was sent; its ids begin with `test`. */
      payload: string;
      subscriptionId: string | null;
      /** Format: uri */
      url: string;
    };
    EligibleScopes: {
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
      organizations: {
        /** @description The organization. */
        organizationPublicId: string;
        /** @enum {string} */
        role: 'admin' | 'member';
        scopes: (
          | 'workspace.read'
          | 'workspace.manage'
          | 'channel.read'
          | 'channel.manage'
          | 'channel.reveal'
          | 'channel.connect'
          | 'webhook.manage'
          | 'messages.read'
          | 'message.send'
          | 'deliveries.read'
          | 'deliveries.replay'
          | 'credentials.manage'
        )[];
      }[];
    };
    Error: {
      /**
       * @description Stable and machine-readable.
       * @enum {string}
       */
      code:
        | 'VALIDATION_ERROR'
        | 'MALFORMED_JSON'
        | 'UNSUPPORTED_MEDIA_TYPE'
        | 'PAYLOAD_TOO_LARGE'
        | 'HEADERS_TOO_LARGE'
        | 'REQUEST_TIMEOUT'
        | 'AUTH_REQUIRED'
        | 'MISSING_BEARER'
        | 'CREDENTIAL_NOT_ACCEPTED_HERE'
        | 'FORBIDDEN'
        | 'AGENT_SCOPE_INSUFFICIENT'
        | 'AGENT_KEY_REVOKE_SELF_ONLY'
        | 'WORKSPACE_ORG_MISMATCH'
        | 'PAGEAPP_SCOPE_DENIED'
        | 'PAGEAPP_SCOPE_MISSING'
        | 'WORKSPACE_NOT_FOUND'
        | 'CHANNEL_NOT_FOUND'
        | 'SUBSCRIPTION_NOT_FOUND'
        | 'LISTENER_NOT_FOUND'
        | 'DELIVERY_NOT_FOUND'
        | 'CONTAINER_NOT_FOUND'
        | 'ORGANIZATION_NOT_FOUND'
        | 'INVITATION_NOT_FOUND'
        | 'MEMBER_NOT_FOUND'
        | 'REGISTRATION_NOT_FOUND'
        | 'CREDENTIAL_NOT_FOUND'
        | 'ONBOARDING_LINK_NOT_FOUND'
        | 'REPLAY_NOT_FOUND'
        | 'ROUTE_NOT_FOUND'
        | 'METHOD_NOT_ALLOWED'
        | 'CHANNEL_DISCONNECTED'
        | 'CHANNEL_ALREADY_CONNECTED'
        | 'EXTERNAL_ID_TAKEN'
        | 'LIMIT_REACHED'
        | 'LAST_ADMIN'
        | 'LAST_WORKSPACE'
        | 'CHANNEL_TYPE_MISMATCH'
        | 'CHANNEL_FORWARDING_DISABLED'
        | 'WEBHOOK_CONFIG_CHANGED'
        | 'CONTAINER_NOT_READY'
        | 'CONTAINER_EXPIRED'
        | 'CONTAINER_FAILED'
        | 'WEBHOOK_NOT_SET'
        | 'SUBSCRIPTION_CHANGED'
        | 'IDEMPOTENCY_KEY_REUSED'
        | 'DELIVERY_ALREADY_DELIVERED'
        | 'DELIVERY_ENDED'
        | 'REPLAY_ENDED'
        | 'OTP_EXPIRED'
        | 'WEBHOOK_URL_VERIFICATION_FAILED'
        | 'URL_NOT_ALLOWED'
        | 'OTP_INVALID'
        | 'RATE_LIMITED'
        | 'OTP_LOCKED'
        | 'PUBLISH_QUOTA_EXCEEDED'
        | 'INTERNAL'
        | 'BODY_UNREADABLE'
        | 'PLATFORM_REJECTED'
        | 'SERVICE_UNAVAILABLE'
        | 'PLATFORM_UNAVAILABLE'
        | 'WORKFLOW_UNAVAILABLE'
        | 'PLATFORM_OUTCOME_UNKNOWN';
      message: string;
      /** @description To be quoted when contacting support. */
      requestId: string;
      /** @description Equal to the status of the response. */
      statusCode: number;
    };
    EventSubscription: {
      /** Format: date-time */
      createdAt: string;
      /** @description Why nothing is sent: the receiver answered 410 twice (`gone`), it failed for days without any success (`failing`), or somebody disabled it (`by_hand`). Null while it is enabled. */
      disabledReason: ('gone' | 'failing' | 'by_hand') | null;
      enabled: boolean;
      events: components['schemas']['ChannelEventType'][];
      label: string | null;
      lastDeliveredAt: string | null;
      lastFailureAt: string | null;
      /** @description The subscription. */
      subscriptionId: string;
      /** Format: uri */
      url: string;
    };
    EventSubscriptionChange: {
      /** @description False skips what waits; true sends nothing old, but what comes from now on. */
      enabled?: boolean;
      events?: components['schemas']['ChannelEventType'][];
      label?: string | null;
      /**
       * @description What becomes of deliveries that wait for the old URL: `follow` the new one (unless given), `keep` going to the old one, or `cancel`.
       * @enum {string}
       */
      pending?: 'follow' | 'keep' | 'cancel';
      /** Format: uri */
      url?: string;
    };
    EventSubscriptionInput: {
      /** @description True unless given. */
      enabled?: boolean;
      events: components['schemas']['ChannelEventType'][];
      label?: string | null;
      /** Format: uri */
      url: string;
    };
    EventSubscriptionList: {
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
      subscriptions: components['schemas']['EventSubscription'][];
    };
    Health: {
      /** @constant */
      status: 'ok';
    };
    InsightMetric: {
      /** @description Parts of the total, where it was asked for in parts. */
      breakdown:
        | {
            dimensions: {
              [key: string]: string;
            };
            value: number;
          }[]
        | null;
      name: string;
      period: string | null;
      values: {
        /** @description End of the time that it counts; null for a total. */
        endTime: string | null;
        value:
          | (
              | number
              | {
                  [key: string]: number;
                }
            )
          | null;
      }[];
    };
    InvariantRule: {
      /** @description How often it is broken; 0 is good. */
      count: number;
      /** @description What is wrong where it is broken. */
      description: string;
      /** @enum {string} */
      rule:
        | 'event_without_delivery'
        | 'destination_without_delivery'
        | 'event_sent_twice'
        | 'delivery_without_event'
        | 'delivered_without_acceptance'
        | 'exhausted_early'
        | 'skipped_without_reason'
        | 'waiting_for_nobody'
        | 'retrying_overdue'
        | 'hold_without_head'
        | 'circuit_overdue'
        | 'replay_overdue'
        | 'container_overdue';
      /** @description Ids of a few of them: of events, deliveries, replays or containers, or a destination by name. */
      samples: string[];
    };
    Invariants: {
      /** @description Null where there was no check yet. */
      lastRun: {
        /** @description Deliveries that were looked at, besides all that wait. */
        deliveryCount: number;
        /** Format: date-time */
        endedAt: string;
        /** @description Events that were looked at. */
        eventCount: number;
        /** Format: date-time */
        startedAt: string;
      } | null;
      /** @description Every rule; none where there was no check yet. */
      rules: components['schemas']['InvariantRule'][];
    };
    Invitation: {
      /** Format: date-time */
      createdAt: string;
      email: string;
      /** Format: date-time */
      expiresAt: string;
      /** @description The invitation. */
      invitationId: string;
      /** @enum {string} */
      role: 'admin' | 'member';
      /** @enum {string} */
      status: 'open' | 'accepted' | 'revoked' | 'expired';
      workspaceId: string | null;
      workspaceRole: ('member' | 'developer' | 'admin') | null;
    };
    InvitationAccepted: {
      /** @description The organization that the person is a member of now. */
      organizationId: string;
      /** @enum {string} */
      role: 'admin' | 'member';
      workspaceId: string | null;
      workspaceRole: ('member' | 'developer' | 'admin') | null;
    };
    InvitationAcceptInput: {
      /** @description From the mail. */
      token: string;
    };
    InvitationInput: {
      /** Format: email */
      email: string;
      /** @enum {string} */
      role: 'admin' | 'member';
      /** @description A workspace that the person becomes a member of too. */
      workspaceId?: string;
      /**
       * @description Goes with workspaceId; member unless given.
       * @enum {string}
       */
      workspaceRole?: 'member' | 'developer' | 'admin';
    };
    InvitationList: {
      invitations: components['schemas']['Invitation'][];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    Listener: {
      /** @description The channel whose events it gets. */
      channelId: string;
      /** Format: date-time */
      createdAt: string;
      /** @description Null: all of the channel's events. */
      eventTypes:
        | (
            | 'chatapp.message.received'
            | 'chatapp.message.status'
            | 'photoapp.message.received'
            | 'photoapp.comment.received'
            | 'pageapp.message.received'
            | 'pageapp.message.reaction'
            | 'pageapp.message.read'
            | 'pageapp.message.delivered'
            | 'pageapp.postback.received'
            | 'pageapp.comment.received'
            | 'pageapp.post.changed'
            | 'chatapp.other.received'
            | 'photoapp.other.received'
            | 'pageapp.other.received'
          )[]
        | null;
      /**
       * Format: date-time
       * @description When it is deleted with what waits for it, unless it is read before: 7 days after the last read.
       */
      expiresAt: string;
      label: string | null;
      /** @description When it was last read, to the minute. */
      lastReadAt: string | null;
      /** @description The listener. */
      listenerId: string;
    };
    ListenerDelivery: {
      /** @description The number in `x-service-attempt`, to be acknowledged with. */
      attempt: number;
      /** @description The delivery. */
      deliveryId: string;
      /** @description The event. */
      eventId: string;
      /** @enum {string} */
      eventType:
        | 'chatapp.message.received'
        | 'chatapp.message.status'
        | 'photoapp.message.received'
        | 'photoapp.comment.received'
        | 'pageapp.message.received'
        | 'pageapp.message.reaction'
        | 'pageapp.message.read'
        | 'pageapp.message.delivered'
        | 'pageapp.postback.received'
        | 'pageapp.comment.received'
        | 'pageapp.post.changed'
        | 'chatapp.other.received'
        | 'photoapp.other.received'
        | 'pageapp.other.received';
      /** @description All headers that a POST of it carries, names in lower case, signed anew for each read. */
      headers: {
        [key: string]: string;
      };
      /** @description The stored bytes, over which the signatures are, as UTF-8. */
      payload: string;
      /** Format: date-time */
      receivedAt: string;
      sender: string | null;
    };
    ListenerInput: {
      /** @description All of the channel's events where left out. */
      eventTypes?:
        | (
            | 'chatapp.message.received'
            | 'chatapp.message.status'
            | 'photoapp.message.received'
            | 'photoapp.comment.received'
            | 'pageapp.message.received'
            | 'pageapp.message.reaction'
            | 'pageapp.message.read'
            | 'pageapp.message.delivered'
            | 'pageapp.postback.received'
            | 'pageapp.comment.received'
            | 'pageapp.post.changed'
            | 'chatapp.other.received'
            | 'photoapp.other.received'
            | 'pageapp.other.received'
          )[]
        | null;
      /** @description For people, such as whose computer it is. */
      label?: string | null;
    };
    ListenerList: {
      listeners: components['schemas']['Listener'][];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    ListenerRead: {
      deliveries: components['schemas']['ListenerDelivery'][];
      /** @description Behind the last one of this answer, or where this read began when there is none; null where nothing was ever read. */
      nextCursor: string | null;
    };
    MediaContainer: {
      caption: string | null;
      /** @description The channel. */
      channelId: string;
      checkedAt: string | null;
      /** @description Null for anything but a CAROUSEL. */
      children: components['schemas']['MediaContainerChild'][] | null;
      /** @description The container, from the first answer to the last. */
      containerId: string;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      expiresAt: string;
      /** @description The platform's id of what was published, where it is known. */
      mediaId: string | null;
      mediaType: components['schemas']['MediaType'];
      nextCheckAt: string | null;
      permalink: string | null;
      platformContainerId: string | null;
      publishedAt: string | null;
      /**
       * @description May be published while `finished`.
       * @enum {string}
       */
      status: 'creating' | 'in_progress' | 'finished' | 'publishing' | 'published' | 'error' | 'expired' | 'unknown';
      statusDetail: string | null;
    };
    MediaContainerChild: {
      imageUrl: string | null;
      /** @description Its place in `children` of the request. */
      index: number;
      /** @enum {string} */
      status: 'creating' | 'in_progress' | 'finished' | 'error' | 'expired' | 'unknown';
      videoUrl: string | null;
    };
    /** @description Exactly one of the two. */
    MediaContainerChildInput: {
      /**
       * Format: uri
       * @description A public https URL of an image.
       */
      imageUrl?: string;
      /**
       * Format: uri
       * @description A public https URL of a video.
       */
      videoUrl?: string;
    };
    MediaContainerCreated: {
      /** @description The channel. */
      channelId: string;
      /** @description The container, from the first answer to the last. */
      containerId: string;
    };
    MediaContainerInput: {
      /** @description For those who do not see the image. IMAGE only. */
      altText?: string;
      /** @description Name of the sound. For VIDEO and REELS. */
      audioName?: string;
      /**
       * @description Publish as soon as the container is finished.
       * @default false
       */
      autoPublish: boolean;
      /** @description At most 30 hashtags and 20 mentions. Not for STORIES. */
      caption?: string;
      /** @description What a CAROUSEL shows, in this order. */
      children?: components['schemas']['MediaContainerChildInput'][];
      /**
       * Format: uri
       * @description Shown before the video plays; wins over `thumbOffset`. For VIDEO and REELS.
       */
      coverUrl?: string;
      /**
       * Format: uri
       * @description A public https URL of an image. For IMAGE, or STORIES.
       */
      imageUrl?: string;
      /** @description Id of a Page that has a place. For IMAGE, VIDEO and REELS. */
      locationId?: string;
      mediaType: components['schemas']['MediaType'];
      /** @description For VIDEO and REELS; a CAROUSEL is always shared. */
      shareToFeed?: boolean;
      /** @description The frame to show first, in milliseconds. */
      thumbOffset?: number;
      /** @description REELS only: shows the reel to people who do not follow the account first. */
      trialParams?: {
        /** @enum {string} */
        graduationStrategy?: 'manual' | 'automatic';
      } & {
        [key: string]: unknown;
      };
      /** @description With x and y on an image; on a CAROUSEL they are the first child's, an image. */
      userTags?: components['schemas']['MediaUserTag'][];
      /**
       * Format: uri
       * @description A public https URL of a video. For VIDEO and REELS, or STORIES.
       */
      videoUrl?: string;
    };
    MediaContainerList: {
      containers: components['schemas']['MediaContainer'][];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    MediaContainerPublished: {
      /** @description The channel. */
      channelId: string;
      /** @description The container, from the first answer to the last. */
      containerId: string;
      /** @description The platform's id of what was published, where it is known. */
      mediaId: string | null;
      permalink: string | null;
    };
    /** @enum {string} */
    MediaType: 'IMAGE' | 'VIDEO' | 'REELS' | 'STORIES' | 'CAROUSEL';
    MediaUserTag: {
      username: string;
      /** @description From the left edge, as a share of the width. Images only. */
      x?: number;
      /** @description From the upper edge, as a share of the height. Images only. */
      y?: number;
    };
    Member: {
      /**
       * Format: date-time
       * @description Member since.
       */
      createdAt: string;
      email: string;
      /** @enum {string} */
      role: 'admin' | 'member';
      /** @description The person. */
      userId: string;
    };
    MemberKey: {
      agentCredentialId: string | null;
      /** Format: date-time */
      createdAt: string;
      /** @description Null: the key stays until it is revoked. */
      expiresAt: string | null;
      /** @description The key. */
      keyId: string;
      /** @description Up to half a minute late. */
      lastUsedAt: string | null;
      name: string;
      /**
       * @description Whether the person made the key, or was shown one that somebody else made.
       * @enum {string}
       */
      relation: 'made' | 'revealed';
      /** @description Null: full access to the organization. */
      scopes:
        | (
            | 'workspace.read'
            | 'workspace.manage'
            | 'channel.read'
            | 'channel.manage'
            | 'channel.reveal'
            | 'channel.connect'
            | 'webhook.manage'
            | 'messages.read'
            | 'message.send'
            | 'deliveries.read'
            | 'deliveries.replay'
            | 'credentials.manage'
          )[]
        | null;
    };
    MemberKeyList: {
      keys: components['schemas']['MemberKey'][];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    MemberKeyRevocation: {
      revokedKeyIds: string[];
    };
    MemberKeyRevocationInput: {
      /** @description All valid keys that the person made unless given. */
      keyIds?: string[];
    };
    MemberList: {
      members: components['schemas']['Member'][];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    MemberRoleInput: {
      /** @enum {string} */
      role: 'admin' | 'member';
    };
    /**
     * @description Exactly one of two forms: `{to, text}`, where `to` is a phone number or the id that the account knows the person by; or a message in the platform's own words, passed on as it is (the product's name is put in where it is missing).
     * @example {
     *       "to": "15551230000",
     *       "text": "Hello"
     *     }
     */
    MessageInput: {
      [key: string]: unknown;
    };
    MessageRead: {
      /** @description The channel. */
      channelId: string;
      messageId: string;
      read: boolean;
    };
    MessageReadInput: {
      /** @description Who wrote it, where known: saves a look at the message. */
      to?: string;
    };
    MessageSent: {
      /** @description The channel. */
      channelId: string;
      /** @description Null for what is no message, such as a reaction. */
      messageId: string | null;
      /** @description The platform's first word on it, where it gives one. */
      messageStatus: string | null;
      recipientId: string | null;
    };
    OnboardingLink: {
      /** @enum {string} */
      channelType: 'chatapp' | 'photoapp' | 'pageapp';
      /** Format: date-time */
      createdAt: string;
      label: string;
      /** @description The link. */
      onboardingLinkId: string;
      /** @enum {string} */
      status: 'active' | 'revoked';
      /** @description What the customer opens; null once the link is revoked. */
      url: string | null;
      workspaceId: string | null;
    };
    OnboardingLinkInput: {
      /** @enum {string} */
      channelType: 'chatapp' | 'photoapp' | 'pageapp';
      /** @description What the customer reads on the page of the link. */
      label: string & (unknown & unknown);
      workspaceId?: string | null;
    };
    OnboardingLinkList: {
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
      onboardingLinks: components['schemas']['OnboardingLink'][];
    };
    OnboardingLinkPatch: {
      /** @description What the customer reads on the page of the link. */
      label?: string & (unknown & unknown);
      workspaceId?: string | null;
    };
    Organization: {
      /** Format: date-time */
      createdAt: string;
      /** @description The organization. */
      id: string;
      name: string;
    };
    OrganizationPatch: {
      name: string;
    };
    OutboundCall: {
      /** @description The credential, the beginning of a channel token, or a workflow. */
      caller: string;
      /** @description The channel that the call was for. */
      channelId: string;
      durationMs: number;
      /** @description The platform's code and subcode, or what kept the answer back. */
      error: string | null;
      method: string;
      /** @description The typed operation; null at the gateway. */
      operation: string | null;
      /** @description Below the version, without the query. */
      path: string;
      /** @description For the support of the platform. */
      platformRequestId: string | null;
      requestId: string;
      /** Format: date-time */
      startedAt: string;
      /** @description Null where no answer came. */
      status: number | null;
      /**
       * @description Which way it went.
       * @enum {string}
       */
      via: 'gateway' | 'api' | 'workflow';
    };
    OutboundCallList: {
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
      outboundCalls: components['schemas']['OutboundCall'][];
    };
    PageappComment: {
      createdAt: string | null;
      fromId: string | null;
      fromName: string | null;
      id: string;
      isHidden: boolean | null;
      message: string | null;
      /** @description The comment that it replies to. */
      parentId: string | null;
    };
    PageappCommentList: {
      comments: components['schemas']['PageappComment'][];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    PageappInsights: {
      metrics: components['schemas']['InsightMetric'][];
      /** @enum {string} */
      target: 'page' | 'post';
      targetId: string;
      /** @description Metrics that the platform has no value of here: unknown, too few people, or no data. Not zero. */
      unavailable: string[];
    };
    PageappPage: {
      category: string | null;
      followers: number | null;
      link: string | null;
      name: string | null;
      pageId: string;
      pictureUrl: string | null;
    };
    PageappPost: {
      createdAt: string | null;
      id: string;
      message: string | null;
      permalink: string | null;
      /** @description Null for kinds that cannot be published here. */
      type: ('text' | 'link' | 'photo' | 'video') | null;
    };
    PageappPostDeleted: {
      /** @description The channel. */
      channelId: string;
      deleted: boolean;
      postId: string;
    };
    PageappPostInput: {
      /** @description For video. */
      description?: string;
      /** @enum {string} */
      kind: 'text' | 'link' | 'photo' | 'video';
      /**
       * Format: uri
       * @description For link, which needs it.
       */
      link?: string;
      /**
       * Format: uri
       * @description For photo and video, which need it.
       */
      mediaUrl?: string;
      /** @description For text, link and photo. */
      message?: string;
    };
    PageappPostList: {
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
      posts: components['schemas']['PageappPost'][];
    };
    PageappPublished: {
      /** @description The channel. */
      channelId: string;
      /** @enum {string} */
      kind: 'text' | 'link' | 'photo' | 'video' | 'reel';
      /** @description Of the photo, video or reel. */
      mediaId: string | null;
      /** @description Always the Page and the post: `<page>_<post>`. */
      postId: string;
    };
    PageappReelInput: {
      description?: string;
      /**
       * Format: uri
       * @description A public https URL.
       */
      videoUrl: string;
    };
    PageappReplyInput: {
      message: string;
      /**
       * @description As a message to who commented: once for each comment, within 7 days.
       * @default false
       */
      private: boolean;
    };
    PhotoappAccount: {
      accountId: string;
      biography: string | null;
      followerCount: number | null;
      followingCount: number | null;
      mediaCount: number | null;
      name: string | null;
      profilePictureUrl: string | null;
      /** @description Posts by the API within the duration; null where not asked for, or not said. */
      quota: {
        durationSeconds: number | null;
        total: number;
        used: number;
      } | null;
      username: string | null;
      website: string | null;
    };
    PhotoappComment: {
      createdAt: string | null;
      fromId: string | null;
      id: string;
      isHidden: boolean | null;
      likeCount: number | null;
      parentId: string | null;
      text: string | null;
      username: string | null;
    };
    PhotoappCommentList: {
      comments: components['schemas']['PhotoappComment'][];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    PhotoappInsights: {
      metrics: components['schemas']['InsightMetric'][];
      /** @enum {string} */
      target: 'account' | 'media';
      targetId: string;
      /** @description Metrics that the platform has no value of here: unknown, too few people, or no data. Not zero. */
      unavailable: string[];
    };
    PhotoappMedia: {
      caption: string | null;
      /** @description Of a carousel that is asked for by its id. */
      children:
        | {
            createdAt: string | null;
            id: string;
            mediaType: ('image' | 'video' | 'carousel') | null;
            /** @description Good for a short time. */
            mediaUrl: string | null;
            permalink: string | null;
            thumbnailUrl: string | null;
          }[]
        | null;
      commentCount: number | null;
      createdAt: string | null;
      id: string;
      likeCount: number | null;
      mediaType: ('image' | 'video' | 'carousel') | null;
      /** @description Good for a short time. */
      mediaUrl: string | null;
      permalink: string | null;
      /** @description Where it is shown: feed, reels, story, ad. */
      productType: string | null;
      thumbnailUrl: string | null;
      username: string | null;
    };
    PhotoappMediaList: {
      media: components['schemas']['PhotoappMedia'][];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    PhotoappMediaModeration: {
      /** @enum {string} */
      action: 'enable_comments' | 'disable_comments';
      /** @description The channel. */
      channelId: string;
      mediaId: string;
      ok: boolean;
    };
    PhotoappMediaModerationInput: {
      /** @enum {string} */
      action: 'enable_comments' | 'disable_comments';
    };
    PhotoappMention: {
      comment: components['schemas']['PhotoappComment'] | null;
      /** @description What mentions the account, or what the comment is on. */
      media: components['schemas']['PhotoappMedia'] | null;
    };
    /** @description Without an id: media of others that tag the account. */
    PhotoappMentionList: {
      mentions: components['schemas']['PhotoappMention'][];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    PhotoappReplyInput: {
      /**
       * @description As a message to who commented: once for each comment, within 7 days.
       * @default false
       */
      private: boolean;
      text: string;
    };
    ProtectedResource: {
      bearer_methods_supported: 'header'[];
      /** Format: uri */
      resource: string;
      /** Format: uri */
      resource_documentation: string;
      resource_name: string;
      scopes_supported: (
        | 'workspace.read'
        | 'workspace.manage'
        | 'channel.read'
        | 'channel.manage'
        | 'channel.reveal'
        | 'channel.connect'
        | 'webhook.manage'
        | 'messages.read'
        | 'message.send'
        | 'deliveries.read'
        | 'deliveries.replay'
        | 'credentials.manage'
      )[];
    };
    Readiness: {
      /** @enum {string} */
      database: 'ok' | 'unreachable' | 'not_migrated';
      /** @enum {string} */
      status: 'ready' | 'not_ready';
      /**
       * @description Reported only: events are accepted without it.
       * @enum {string}
       */
      temporal: 'ok' | 'unreachable';
    };
    RefreshedSession: {
      /** @description A JWT for the Authorization header. */
      accessToken: string;
      /** @description Seconds until the access token ends. */
      expiresIn: number;
      /** @description Good for one refresh: shown a second time, it ends the session. */
      refreshToken: string;
      /** @constant */
      tokenType: 'Bearer';
    };
    Replay: {
      /** Format: date-time */
      createdAt: string;
      /** @description New deliveries that the receiver has accepted. */
      delivered: number;
      destination: string | null;
      endedAt: string | null;
      eventTypes:
        | (
            | 'chatapp.message.received'
            | 'chatapp.message.status'
            | 'photoapp.message.received'
            | 'photoapp.comment.received'
            | 'pageapp.message.received'
            | 'pageapp.message.reaction'
            | 'pageapp.message.read'
            | 'pageapp.message.delivered'
            | 'pageapp.postback.received'
            | 'pageapp.comment.received'
            | 'pageapp.post.changed'
            | 'chatapp.other.received'
            | 'photoapp.other.received'
            | 'pageapp.other.received'
          )[]
        | null;
      /** @description New deliveries that have ended otherwise, and events that were gone. */
      failed: number;
      /** @description How many events the plan has; while it is being made, how many were counted. */
      matched: number;
      ratePerSecond: number;
      /** @description The replay. */
      replayId: string;
      /** @description `channel:<id>`, `workspace:<id>` or `organization:<id>`. */
      scope: string;
      /** @description How many have become new deliveries. */
      sent: number;
      /** Format: date-time */
      since: string;
      /** @description When the plan was complete and the first could go. */
      startedAt: string | null;
      /** @enum {string} */
      status: 'planning' | 'running' | 'paused' | 'completed' | 'cancelled';
      statuses: ('pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped')[];
      /** Format: date-time */
      until: string;
      /** @description New deliveries that are pending or retrying. */
      waiting: number;
      workflowId: string;
    };
    ReplayList: {
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
      replays: components['schemas']['Replay'][];
    };
    ReplayStarted: {
      /** @description How many events will go, each once to a destination. */
      matched: number;
      /** @description Events sent a second at most; less than asked for where the named destination is slow. */
      ratePerSecond: number;
      /** @description Null for a dry run. */
      replayId: string | null;
      /** @description Subscriptions that are sent to slowly, at most 10 a second for each host, because their origin is not that of a verified webhook of the organization. Set a webhook at that origin to verify them. */
      unverifiedDestinations: number;
    };
    RevealedApiKey: {
      apiKey: string;
      /** @description The key. */
      keyId: string;
    };
    RevealedRotation: {
      /** @description The channel. */
      channelId: string;
      /** @description Why it was not rotated; null unless it failed. */
      code:
        | (
            | 'VALIDATION_ERROR'
            | 'MALFORMED_JSON'
            | 'UNSUPPORTED_MEDIA_TYPE'
            | 'PAYLOAD_TOO_LARGE'
            | 'HEADERS_TOO_LARGE'
            | 'REQUEST_TIMEOUT'
            | 'AUTH_REQUIRED'
            | 'MISSING_BEARER'
            | 'CREDENTIAL_NOT_ACCEPTED_HERE'
            | 'FORBIDDEN'
            | 'AGENT_SCOPE_INSUFFICIENT'
            | 'AGENT_KEY_REVOKE_SELF_ONLY'
            | 'WORKSPACE_ORG_MISMATCH'
            | 'PAGEAPP_SCOPE_DENIED'
            | 'PAGEAPP_SCOPE_MISSING'
            | 'WORKSPACE_NOT_FOUND'
            | 'CHANNEL_NOT_FOUND'
            | 'SUBSCRIPTION_NOT_FOUND'
            | 'LISTENER_NOT_FOUND'
            | 'DELIVERY_NOT_FOUND'
            | 'CONTAINER_NOT_FOUND'
            | 'ORGANIZATION_NOT_FOUND'
            | 'INVITATION_NOT_FOUND'
            | 'MEMBER_NOT_FOUND'
            | 'REGISTRATION_NOT_FOUND'
            | 'CREDENTIAL_NOT_FOUND'
            | 'ONBOARDING_LINK_NOT_FOUND'
            | 'REPLAY_NOT_FOUND'
            | 'ROUTE_NOT_FOUND'
            | 'METHOD_NOT_ALLOWED'
            | 'CHANNEL_DISCONNECTED'
            | 'CHANNEL_ALREADY_CONNECTED'
            | 'EXTERNAL_ID_TAKEN'
            | 'LIMIT_REACHED'
            | 'LAST_ADMIN'
            | 'LAST_WORKSPACE'
            | 'CHANNEL_TYPE_MISMATCH'
            | 'CHANNEL_FORWARDING_DISABLED'
            | 'WEBHOOK_CONFIG_CHANGED'
            | 'CONTAINER_NOT_READY'
            | 'CONTAINER_EXPIRED'
            | 'CONTAINER_FAILED'
            | 'WEBHOOK_NOT_SET'
            | 'SUBSCRIPTION_CHANGED'
            | 'IDEMPOTENCY_KEY_REUSED'
            | 'DELIVERY_ALREADY_DELIVERED'
            | 'DELIVERY_ENDED'
            | 'REPLAY_ENDED'
            | 'OTP_EXPIRED'
            | 'WEBHOOK_URL_VERIFICATION_FAILED'
            | 'URL_NOT_ALLOWED'
            | 'OTP_INVALID'
            | 'RATE_LIMITED'
            | 'OTP_LOCKED'
            | 'PUBLISH_QUOTA_EXCEEDED'
            | 'INTERNAL'
            | 'BODY_UNREADABLE'
            | 'PLATFORM_REJECTED'
            | 'SERVICE_UNAVAILABLE'
            | 'PLATFORM_UNAVAILABLE'
            | 'WORKFLOW_UNAVAILABLE'
            | 'PLATFORM_OUTCOME_UNKNOWN'
          )
        | null;
      /** @description Until when the secret so far is valid; null where it has ended. */
      endsAt: string | null;
      /**
       * @description What opens the gateway, signs deliveries or answers probes.
       * @enum {string}
       */
      kind: 'token' | 'webhook_secret' | 'verify_token';
      /**
       * @description rotated: a new secret took its place. ended: it was an agent's own token, which ends without a successor. needs_save: save the webhook with another verify token. failed: see code.
       * @enum {string}
       */
      status: 'rotated' | 'ended' | 'needs_save' | 'failed';
    };
    RevealedRotationInput: {
      /** @description Only secrets of these channels; of all channels unless given. */
      channels?: string[];
      /** @description How long the secrets so far stay valid; 3600 unless given, 0 ends them at once. */
      overlapSeconds?: number;
    };
    RevealedRotationList: {
      /** @description Secrets beyond the 50 that one call rotates: call again until it is 0. */
      remaining: number;
      rotations: components['schemas']['RevealedRotation'][];
    };
    RotatedToken: {
      /**
       * Format: uri
       * @description The gateway's address with the platform's version for this type of channel.
       */
      baseUrl: string;
      /** @description Null: good until it is rotated. */
      expiresAt: string | null;
      /** @description When the token so far ends; null where it has ended, or where there was none. */
      previousTokenExpiresAt: string | null;
      /** @description What an agent's own token is limited to. Null: people and full keys share it, and it opens everything. */
      scopes: ('channel.read' | 'channel.manage' | 'messages.read' | 'message.send')[] | null;
      /** @description Opens this channel at the gateway, and nothing anywhere else. */
      token: string;
      /** @description Its first 14 characters, for showing it. */
      tokenPrefix: string;
      /** @description Its last 4 characters. */
      tokenSuffix: string;
    };
    RotatedWebhookHmac: {
      /** @description The channel. */
      channelId: string;
      /** @description WEBHOOK_HMAC_SECRET, which signs deliveries. */
      hmacSecret: string;
      /** @description When the secret before ends; null where it was cut at once. */
      previousSecretExpiresAt: string | null;
    };
    SavedWebhookConfig: {
      /** @description The channel. */
      channelId: string;
      /** @description Why nothing is sent: the receiver answered 410 twice (`gone`), it failed for days without any success (`failing`), or somebody disabled it (`by_hand`). Null while it is enabled. */
      disabledReason: ('gone' | 'failing' | 'by_hand') | null;
      /** @description What came of each probe, in their order; left out where that is not known. */
      probes?: components['schemas']['WebhookProbe'][];
      updatedAt: string | null;
      /** @description When both probes last passed. */
      verifiedAt: string | null;
      /** @description Null where no webhook is set, and for callers who may not see secrets and have not sent it. */
      verifyToken: string | null;
      /** @description Null where no webhook is set. */
      webhookUrl: string | null;
    };
    SecretReveal: {
      /** @description The channel. */
      channelId: string;
      /** @description Whether this very secret is still the present one, so that rotating it would help. */
      current: boolean;
      /** @description Of the channel. */
      displayName: string;
      /** @description Of a secret that was rotated: until when it is valid. Null: it is the present one, or has ended. */
      endsAt: string | null;
      /** Format: date-time */
      firstRevealedAt: string;
      /**
       * @description What opens the gateway, signs deliveries or answers probes.
       * @enum {string}
       */
      kind: 'token' | 'webhook_secret' | 'verify_token';
      /** Format: date-time */
      lastRevealedAt: string;
      revealCount: number;
      /** @description Who has read it: a person (usr_), an API key (key_) or an agent credential (ac_). */
      revealedTo: string;
      /** @description The workspace that holds the channel. */
      workspaceId: string;
    };
    SecretRevealList: {
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
      reveals: components['schemas']['SecretReveal'][];
    };
    SignIn: {
      /**
       * Format: date-time
       * @description When the code ends.
       */
      expiresAt: string;
      message: string;
      /** @description To be sent with the code. */
      registrationId: string;
    };
    StaffAuditEntry: {
      /** @description What was done, `noun.pastTense`. */
      action: string;
      actor: {
        /** @description `usr_…`, `key_…`, `ac_…`, or the name of a process. */
        id: string;
        /** @enum {string} */
        type: 'user' | 'api_key' | 'agent' | 'staff' | 'system';
      };
      /** Format: date-time */
      at: string;
      clientAddress: string | null;
      organizationId: string | null;
      /** @description E-mail address of the person behind a key of staff. */
      person: string | null;
      reason: string | null;
      requestId: string | null;
      /** @description What it was done to. */
      targetId: string | null;
      workspaceId: string | null;
    };
    StaffAuditEntryList: {
      entries: components['schemas']['StaffAuditEntry'][];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    StaffBulkReplayInput: {
      /** @description Where all of it goes: `webhook`, or a subscription or a listener of the channel where the scope is one. Each delivery's own where left out. */
      destination?: string;
      /** @description Only counts. */
      dryRun?: boolean;
      eventTypes?: (
        | 'chatapp.message.received'
        | 'chatapp.message.status'
        | 'photoapp.message.received'
        | 'photoapp.comment.received'
        | 'pageapp.message.received'
        | 'pageapp.message.reaction'
        | 'pageapp.message.read'
        | 'pageapp.message.delivered'
        | 'pageapp.postback.received'
        | 'pageapp.comment.received'
        | 'pageapp.post.changed'
        | 'chatapp.other.received'
        | 'photoapp.other.received'
        | 'pageapp.other.received'
      )[];
      /** @description Events sent a second at most; 50 unless given. */
      ratePerSecond?: number;
      /** @description Why, for the audit log: the organization's people read it there. */
      reason: string;
      /** @description `channel:<id>`, `workspace:<id>` or `organization:<id>`. */
      scope: string;
      /**
       * Format: date-time
       * @description Deliveries made at or after.
       */
      since: string;
      /** @description Deliveries in one of these states when the replay is asked for. */
      statuses: ('pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped')[];
      /**
       * Format: date-time
       * @description Deliveries made before; later than `since`.
       */
      until: string;
    };
    StaffDelivery: {
      attempts: components['schemas']['DeliveryAttempt'][];
      /** @description The channel that the event came for. */
      channelId: string;
      /**
       * Format: date-time
       * @description When this delivery was made: with its event, or later where it is a replay. Lists go by it.
       */
      createdAt: string;
      /** @description The delivery: one event to one destination. */
      deliveryId: string;
      /** @description Null where the channel had none. */
      destination: components['schemas']['DeliveryDestination'] | null;
      /** @description The event. */
      eventId: string;
      /** @enum {string} */
      eventType:
        | 'chatapp.message.received'
        | 'chatapp.message.status'
        | 'photoapp.message.received'
        | 'photoapp.comment.received'
        | 'pageapp.message.received'
        | 'pageapp.message.reaction'
        | 'pageapp.message.read'
        | 'pageapp.message.delivered'
        | 'pageapp.postback.received'
        | 'pageapp.comment.received'
        | 'pageapp.post.changed'
        | 'chatapp.other.received'
        | 'photoapp.other.received'
        | 'pageapp.other.received';
      /** @description Not before: its place in the retry schedule, or the next probe of the circuit that it waits for, the later of both. */
      nextAttemptAt: string | null;
      /** @description Whose it is. */
      organizationId: string;
      organizationName: string;
      /** @description The stored bytes, which are signed and sent, as UTF-8. */
      payload: string;
      platformMessageId: string | null;
      /**
       * Format: date-time
       * @description When the event came.
       */
      receivedAt: string;
      /** @description Null where none did; a delivery that was replayed by itself has only `replayOf`. */
      replayId: string | null;
      /** @description Null for one that was made when its event came. */
      replayOf: string | null;
      sender: string | null;
      skipReason: ('forwarding_disabled' | 'no_destination' | 'destination_disabled') | null;
      /** @enum {string} */
      status: 'pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped';
      /** @description Its workflow in the Temporal UI; null where it has none. */
      temporalUrl: string | null;
      /** @description Why it waits although nothing is wrong with it: its destination is left alone. Null where it waits for none. */
      waitsForCircuit: components['schemas']['CircuitAhead'] | null;
      /** @description The workflow that carries a delivery through its retries. */
      workflowId: string | null;
      /** @description The workspace that it was accepted for. */
      workspaceId: string;
    };
    StaffDeliveryList: {
      deliveries: components['schemas']['StaffDeliverySummary'][];
      /** @description For the next page. A page may have few records or none and still be followed by others: each looks through a bounded number. */
      nextCursor: string | null;
    };
    StaffDeliverySummary: {
      /** @description The channel that the event came for. */
      channelId: string;
      /**
       * Format: date-time
       * @description When this delivery was made: with its event, or later where it is a replay. Lists go by it.
       */
      createdAt: string;
      /** @description The delivery: one event to one destination. */
      deliveryId: string;
      /** @description Null where the channel had none. */
      destination: components['schemas']['DeliveryDestination'] | null;
      /** @description The event. */
      eventId: string;
      /** @enum {string} */
      eventType:
        | 'chatapp.message.received'
        | 'chatapp.message.status'
        | 'photoapp.message.received'
        | 'photoapp.comment.received'
        | 'pageapp.message.received'
        | 'pageapp.message.reaction'
        | 'pageapp.message.read'
        | 'pageapp.message.delivered'
        | 'pageapp.postback.received'
        | 'pageapp.comment.received'
        | 'pageapp.post.changed'
        | 'chatapp.other.received'
        | 'photoapp.other.received'
        | 'pageapp.other.received';
      /** @description Not before: its place in the retry schedule, or the next probe of the circuit that it waits for, the later of both. */
      nextAttemptAt: string | null;
      /** @description Whose it is. */
      organizationId: string;
      organizationName: string;
      platformMessageId: string | null;
      /**
       * Format: date-time
       * @description When the event came.
       */
      receivedAt: string;
      /** @description Null where none did; a delivery that was replayed by itself has only `replayOf`. */
      replayId: string | null;
      /** @description Null for one that was made when its event came. */
      replayOf: string | null;
      sender: string | null;
      skipReason: ('forwarding_disabled' | 'no_destination' | 'destination_disabled') | null;
      /** @enum {string} */
      status: 'pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped';
      /** @description Its workflow in the Temporal UI; null where it has none. */
      temporalUrl: string | null;
      /** @description Why it waits although nothing is wrong with it: its destination is left alone. Null where it waits for none. */
      waitsForCircuit: components['schemas']['CircuitAhead'] | null;
      /** @description The workflow that carries a delivery through its retries. */
      workflowId: string | null;
      /** @description The workspace that it was accepted for. */
      workspaceId: string;
    };
    StaffReplay: {
      /** Format: date-time */
      createdAt: string;
      /** @description New deliveries that the receiver has accepted. */
      delivered: number;
      destination: string | null;
      endedAt: string | null;
      eventTypes:
        | (
            | 'chatapp.message.received'
            | 'chatapp.message.status'
            | 'photoapp.message.received'
            | 'photoapp.comment.received'
            | 'pageapp.message.received'
            | 'pageapp.message.reaction'
            | 'pageapp.message.read'
            | 'pageapp.message.delivered'
            | 'pageapp.postback.received'
            | 'pageapp.comment.received'
            | 'pageapp.post.changed'
            | 'chatapp.other.received'
            | 'photoapp.other.received'
            | 'pageapp.other.received'
          )[]
        | null;
      /** @description New deliveries that have ended otherwise, and events that were gone. */
      failed: number;
      /** @description How many events the plan has; while it is being made, how many were counted. */
      matched: number;
      /** @description Whose deliveries it sends again. */
      organizationId: string;
      ratePerSecond: number;
      /** @description The replay. */
      replayId: string;
      /** @description `channel:<id>`, `workspace:<id>` or `organization:<id>`. */
      scope: string;
      /** @description How many have become new deliveries. */
      sent: number;
      /** Format: date-time */
      since: string;
      /** @description When the plan was complete and the first could go. */
      startedAt: string | null;
      /** @enum {string} */
      status: 'planning' | 'running' | 'paused' | 'completed' | 'cancelled';
      statuses: ('pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped')[];
      /** @description Its workflow in the Temporal UI; null where none is known. */
      temporalUrl: string | null;
      /** Format: date-time */
      until: string;
      /** @description New deliveries that are pending or retrying. */
      waiting: number;
      workflowId: string;
      workspaceId: string | null;
    };
    StaffReplayInput: {
      /** @description `webhook`, or the id of a subscription or a listener; the delivery's own destination unless given. */
      destination?: string;
      /** @description Why, for the audit log: the organization's people read it there. */
      reason: string;
    };
    StaffReplayList: {
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
      replays: components['schemas']['StaffReplay'][];
    };
    StaffReplayMoveInput: {
      /** @description Why, for the audit log: the organization's people read it there. */
      reason: string;
    };
    StaffRetryInput: {
      /** @description Why, for the audit log: the organization's people read it there. */
      reason: string;
    };
    StartedSession: {
      /** @description A JWT for the Authorization header. */
      accessToken: string;
      /** @description Seconds until the access token ends. */
      expiresIn: number;
      organizations: {
        name: string;
        /** @description An organization that the caller can reach. */
        organizationId: string;
        /** @enum {string} */
        role: 'admin' | 'member';
      }[];
      /** @description Good for one refresh: shown a second time, it ends the session. */
      refreshToken: string;
      /** @constant */
      tokenType: 'Bearer';
      user: {
        email: string;
        /** @description The person. */
        id: string;
      };
    };
    StatisticsBucket: {
      /**
       * Format: date-time
       * @description When it begins.
       */
      at: string;
      /** @description Of these, those that have arrived. */
      delivered: number;
      /** @description Deliveries whose event came in it. */
      deliveries: number;
      /** @description Of these, those that are exhausted. */
      failed: number;
      /** @description Attempts of these that were not accepted. */
      failedAttempts: number;
      /** @description From the acceptance of the event to the end of the accepted attempt; null where none. */
      latencyMs: {
        p50: number;
        p95: number;
      } | null;
      /** @description Of these, those that wait. */
      waiting: number;
    };
    SubscriptionAnswer: {
      subscription: components['schemas']['EventSubscription'];
    };
    TokenRotationInput: {
      /** @description How long the token so far goes on; 3600 unless given, 0 ends it at once. An overlap that is under way ends at once. */
      overlapSeconds?: number;
    };
    TypingInput: {
      /** @description The message that is being answered, which this marks as read. Needed on chatapp channels. */
      messageId?: string;
      /** @description Who sees it. Needed on photoapp and pageapp channels. */
      to?: string;
    };
    TypingShown: {
      /** @description The channel. */
      channelId: string;
      typing: boolean;
    };
    UnroutedEventList: {
      events: {
        /** Format: date-time */
        receivedAt: string;
        resourceId: string;
        sizeBytes: number;
        /** @description The product; empty where the platform named none that we know. */
        type: string;
      }[];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    WebhookConfig: {
      /** @description The channel. */
      channelId: string;
      /** @description Why nothing is sent: the receiver answered 410 twice (`gone`), it failed for days without any success (`failing`), or somebody disabled it (`by_hand`). Null while it is enabled. */
      disabledReason: ('gone' | 'failing' | 'by_hand') | null;
      updatedAt: string | null;
      /** @description When both probes last passed. */
      verifiedAt: string | null;
      /** @description Null where no webhook is set, and for callers who may not see secrets and have not sent it. */
      verifyToken: string | null;
      /** @description Null where no webhook is set. */
      webhookUrl: string | null;
    };
    WebhookConfigInput: {
      /** @description Used for the ownership probe only. Left out, the stored one is kept. */
      verifyToken?: string & (unknown & unknown);
      /** Format: uri */
      webhookUrl: string;
    };
    WebhookHmac: {
      /** @description The channel. */
      channelId: string;
      /** @description WEBHOOK_HMAC_SECRET, which signs deliveries. */
      hmacSecret: string;
    };
    WebhookHmacRotationInput: {
      /**
       * @description How long deliveries are signed with the secret so far too; 0 cuts it at once.
       * @default 0
       */
      overlapSeconds: number;
    };
    WebhookProbe: {
      /** @description Null for one that was not sent. */
      durationMs: number | null;
      /** @description Why there was no answer. */
      error: string | null;
      /** @description What it asks of the receiver, in words. */
      expected: string;
      /** @description What was wrong, in words; null where nothing was. */
      found: string | null;
      /**
       * @description `rejected`: the answer was another than the expected one. `no_response`: there was none.
       * @enum {string}
       */
      outcome: 'passed' | 'rejected' | 'no_response' | 'not_sent';
      /**
       * @description Its method; the POST is sent where the GET has passed.
       * @enum {string}
       */
      probe: 'GET' | 'POST';
      /** @description The first 120 characters of a wrong answer, white space folded and the Verify Token masked. */
      responseBody: string | null;
      /** @description HTTP status of the answer; null where none came. */
      status: number | null;
    };
    WholeWorkspace: {
      /** @description Its connected channels. */
      channelCount: number;
      /** Format: date-time */
      createdAt: string;
      /** @description The organization's own name for a customer. */
      externalId: string | null;
      /** @description The workspace or customer. */
      id: string;
      /** @enum {string} */
      kind: 'team' | 'customer';
      /** @description Its own members; the organization's admins need not be among them. */
      memberCount: number;
      name: string;
      /** @description Its organization. */
      organizationId: string;
      /**
       * @description What the caller is in it.
       * @enum {string}
       */
      role: 'member' | 'developer' | 'admin';
    };
    Workspace: {
      /** Format: date-time */
      createdAt: string;
      /** @description The organization's own name for a customer. */
      externalId: string | null;
      /** @description The workspace or customer. */
      id: string;
      /** @enum {string} */
      kind: 'team' | 'customer';
      name: string;
      /** @description Its organization. */
      organizationId: string;
    };
    WorkspaceInput: {
      /** @description The organization's own name for a customer, unique among its customers. */
      externalId?: string;
      /** @enum {string} */
      kind: 'team' | 'customer';
      name: string;
    };
    WorkspaceList: {
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
      workspaces: components['schemas']['Workspace'][];
    };
    WorkspaceMember: {
      /**
       * Format: date-time
       * @description Member since.
       */
      createdAt: string;
      email: string;
      /** @enum {string} */
      role: 'member' | 'developer' | 'admin';
      /** @description The person. */
      userId: string;
    };
    WorkspaceMemberList: {
      members: components['schemas']['WorkspaceMember'][];
      /** @description To be passed as `cursor` for the next page; null on the last one. */
      nextCursor: string | null;
    };
    WorkspaceMemberRoleInput: {
      /**
       * @description A developer may also see the secrets of channels.
       * @enum {string}
       */
      role: 'member' | 'developer' | 'admin';
    };
    WorkspacePatch: {
      /** @description Null takes it away. */
      externalId?: string | null;
      name?: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export interface operations {
  getProtectedResource: {
    parameters: {};
    responses: {
      /** @description Tells a client how this API is protected and where to read how to get a key (RFC 9728) */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['ProtectedResource'];
        };
      };
    };
  };
  getProtectedResourceOfMcp: {
    parameters: {};
    responses: {
      /** @description The same for the tools at /mcp */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['ProtectedResource'];
        };
      };
    };
  };
  claimAgentCredential: {
    parameters: {};
    requestBody: {
      content: {
        'application/json': components['schemas']['AgentClaimInput'];
      };
    };
    responses: {
      /** @description Sends a code to an e-mail address, for an agent that wants a key; the same answer for every address */
      202: {
        headers: {};
        content: {
          'application/json': components['schemas']['AgentClaim'];
        };
      };
    };
  };
  completeAgentClaim: {
    parameters: {};
    requestBody: {
      content: {
        'application/json': components['schemas']['AgentClaimCompletion'];
      };
    };
    responses: {
      /** @description Exchanges the code for an API key with scopes */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['AgentToken'];
        };
      };
    };
  };
  listAgentCredentials: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
      };
    };
    responses: {
      /** @description Lists the person's agent credentials, and everybody's of an organization for its admins; newest first */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['AgentCredentialList'];
        };
      };
    };
  };
  revokeAgentCredential: {
    parameters: {
      path: {
        /** @description Id of the agentCredential. */
        ac: string;
      };
    };
    responses: {
      /** @description Revokes an agent credential at once; an agent may revoke only its own */
      204: {
        headers: {};
      };
    };
  };
  listCredentialReveals: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
      };
      path: {
        /** @description Id of the agentCredential. */
        ac: string;
      };
    };
    responses: {
      /** @description Lists the secrets that an agent has read, also after its credential was revoked; newest first */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['SecretRevealList'];
        };
      };
    };
  };
  rotateCredentialReveals: {
    parameters: {
      path: {
        /** @description Id of the agentCredential. */
        ac: string;
      };
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RevealedRotationInput'];
      };
    };
    responses: {
      /** @description Rotates the present secrets that an agent has read, and ends its own channel tokens */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['RevealedRotationList'];
        };
      };
    };
  };
  getEligibleScopes: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
      };
    };
    responses: {
      /** @description Lists the scopes that the person can hand to an agent, by organization, newest first */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['EligibleScopes'];
        };
      };
    };
  };
  readAgentGuide: {
    parameters: {};
    responses: {
      /** @description The guide. */
      200: {
        headers: {};
        content: {
          'text/markdown': string;
        };
      };
    };
  };
  refreshSession: {
    parameters: {};
    requestBody: {
      content: {
        'application/json': {
          refreshToken: string;
        };
      };
    };
    responses: {
      /** @description Gives a new access token and a new refresh token for the one shown */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['RefreshedSession'];
        };
      };
    };
  };
  getSession: {
    parameters: {};
    responses: {
      /** @description Says who calls, by what kind of credential, and in which organizations */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['CurrentSession'];
        };
      };
    };
  };
  signIn: {
    parameters: {};
    requestBody: {
      content: {
        'application/json': {
          /** @description An e-mail address. */
          email: string;
        };
      };
    };
    responses: {
      /** @description Sends a code of six digits to the address; the answer is the same whether or not it is known */
      202: {
        headers: {};
        content: {
          'application/json': components['schemas']['SignIn'];
        };
      };
    };
  };
  completeSignIn: {
    parameters: {};
    requestBody: {
      content: {
        'application/json': {
          /** @description The code of six digits from the e-mail. */
          otp: string;
          /** @description From the answer to the sign-in. */
          registrationId: string;
        };
      };
    };
    responses: {
      /** @description Takes the code and begins a session: a cookie for browsers, tokens for others */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['StartedSession'];
        };
      };
    };
  };
  signOut: {
    parameters: {};
    responses: {
      /** @description Ends the session */
      204: {
        headers: {};
      };
    };
  };
  signOutEverywhere: {
    parameters: {};
    responses: {
      /** @description Ends every session of the person, at once */
      204: {
        headers: {};
      };
    };
  };
  uploadChatappMedia: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    /** @description The file by itself, with its own Content-Type; or a form with the field `file`, and `type` if need be. */
    requestBody: {
      content: {
        '*/*': string;
        'multipart/form-data': {
          /** Format: binary */
          file: string;
        };
      };
    };
    responses: {
      /** @description Uploads a file for messages; nobody is sent anything by it */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['ChatappMediaUploaded'];
        };
      };
    };
  };
  downloadChatappMedia: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description The file, as its message named it. */
        mediaId: string;
      };
    };
    responses: {
      /** @description Returns a file that was uploaded or that came with a message */
      200: {
        headers: {};
        content: {
          '*/*': string;
        };
      };
    };
  };
  listChatappTemplates: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 25 unless given. */
        limit?: number;
        /** @description Only the one of this name, in all of its languages. */
        name?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the message templates of the number's business account */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['ChatappTemplateList'];
        };
      };
    };
  };
  listChannelDestinations: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Lists where the channel's events go, and how each destination is doing */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['ChannelDestinations'];
        };
      };
    };
  };
  setDestinationOrdering: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChannelDestinationChange'];
      };
    };
    responses: {
      /** @description Sets whether events go to a destination in order within their conversation */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['ChannelDestinations'];
        };
      };
    };
  };
  listListeners: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the channel's listeners, newest first */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['ListenerList'];
        };
      };
    };
  };
  createListener: {
    parameters: {
      header?: {
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ListenerInput'];
      };
    };
    responses: {
      /** @description Adds a listener, which keeps the channel's events for whoever reads them */
      201: {
        headers: {};
        content: {
          'application/json': components['schemas']['Listener'];
        };
      };
    };
  };
  getListener: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description Id of the listener. */
        lst: string;
      };
    };
    responses: {
      /** @description Returns one listener */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['Listener'];
        };
      };
    };
  };
  deleteListener: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description Id of the listener. */
        lst: string;
      };
    };
    responses: {
      /** @description Deletes a listener; deliveries that wait for it are cancelled */
      204: {
        headers: {};
      };
    };
  };
  acknowledgeDeliveries: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description Id of the listener. */
        lst: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AcknowledgeInput'];
      };
    };
    responses: {
      /** @description Records what came of deliveries that were read; those that were not to be read again have ended then */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['Acknowledged'];
        };
      };
    };
  };
  readListener: {
    parameters: {
      query?: {
        /** @description `nextCursor` of an earlier read: goes on behind what that one answered with, whether it is acknowledged yet or not. */
        cursor?: string;
        /** @description Deliveries in an answer; 50 unless given. Fewer come where they are large. */
        limit?: number;
        /** @description How long to wait for a delivery where none is there; 0 unless given. */
        waitSeconds?: number;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description Id of the listener. */
        lst: string;
      };
    };
    responses: {
      /** @description Returns the deliveries that wait for the listener, in order, signed as a POST of them; waits for one if asked to */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['ListenerRead'];
        };
      };
    };
  };
  sendMessage: {
    parameters: {
      header?: {
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MessageInput'];
      };
    };
    responses: {
      /** @description Sends a message from the channel */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['MessageSent'];
        };
      };
    };
  };
  markMessageRead: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description The message, as its event named it; encoded where it has other characters than a path. */
        messageId: string;
      };
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['MessageReadInput'];
      };
    };
    responses: {
      /** @description Marks a message that came in as read */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['MessageRead'];
        };
      };
    };
  };
  moveChannel: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChannelMoveInput'];
      };
    };
    responses: {
      /** @description Moves the channel to another workspace of the organization; events and deliveries so far stay where they are */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['Channel'];
        };
      };
    };
  };
  listOutboundCalls: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
        /** @description Only calls that this request led to. */
        requestId?: string;
        since?: string;
        until?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the calls that left for the platform on behalf of the channel, newest first */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['OutboundCallList'];
        };
      };
    };
  };
  listPageappComments: {
    parameters: {
      query: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 25 unless given. */
        limit?: number;
        /** @description Comments on this post, replies among them. */
        postId: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the comments on a post, with the replies to them */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['PageappCommentList'];
        };
      };
    };
  };
  moderatePageappComment: {
    parameters: {
      header?: {
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description The comment, as a list or an event named it. */
        commentId: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CommentModerationInput'];
      };
    };
    responses: {
      /** @description Hides, shows or deletes a comment */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['CommentModeration'];
        };
      };
    };
  };
  replyToPageappComment: {
    parameters: {
      header?: {
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description The comment, as a list or an event named it. */
        commentId: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PageappReplyInput'];
      };
    };
    responses: {
      /** @description Replies to a comment, in public or as a message to who wrote it */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['CommentReply'];
        };
      };
    };
  };
  listPageappConversations: {
    parameters: {
      query?: {
        /** @description Only this one, with its messages; the pages are then those of its messages. */
        conversationId?: string;
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 25 unless given. */
        limit?: number;
        /** @description Only those with this person. */
        participantId?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the Page's conversations, or one with its messages */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['ConversationList'];
        };
      };
    };
  };
  getPageappInsights: {
    parameters: {
      query?: {
        metrics?: string;
        /** @description day for a Page unless given. */
        period?: 'day' | 'week' | 'days_28' | 'lifetime';
        postId?: string;
        since?: string;
        until?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Returns metrics of the Page or of a post */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['PageappInsights'];
        };
      };
    };
  };
  getPageappPage: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Returns the Page */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['PageappPage'];
        };
      };
    };
  };
  listPageappPosts: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 25 unless given. */
        limit?: number;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the Page's posts */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['PageappPostList'];
        };
      };
    };
  };
  publishPageappPost: {
    parameters: {
      header?: {
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PageappPostInput'];
      };
    };
    responses: {
      /** @description Publishes a text, link, photo or video */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['PageappPublished'];
        };
      };
    };
  };
  deletePageappPost: {
    parameters: {
      header?: {
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description The post, as a list or an event named it. */
        postId: string;
      };
    };
    responses: {
      /** @description Deletes a post */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['PageappPostDeleted'];
        };
      };
    };
  };
  publishPageappReel: {
    parameters: {
      header?: {
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PageappReelInput'];
      };
    };
    responses: {
      /** @description Publishes a reel, which the platform fetches from its URL */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['PageappPublished'];
        };
      };
    };
  };
  getPhotoappAccount: {
    parameters: {
      query?: {
        /** @description Asks for `quota` too. */
        includePublishingLimit?: 'true' | 'false';
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Returns the account, with its quota of posts where that is asked for */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['PhotoappAccount'];
        };
      };
    };
  };
  listPhotoappComments: {
    parameters: {
      query?: {
        commentId?: string;
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 25 unless given. */
        limit?: number;
        mediaId?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the comments on a media, or the replies to a comment */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['PhotoappCommentList'];
        };
      };
    };
  };
  moderatePhotoappComment: {
    parameters: {
      header?: {
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description The comment, as a list or an event named it. */
        commentId: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CommentModerationInput'];
      };
    };
    responses: {
      /** @description Hides, shows or deletes a comment */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['CommentModeration'];
        };
      };
    };
  };
  replyToPhotoappComment: {
    parameters: {
      header?: {
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description The comment, as a list or an event named it. */
        commentId: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PhotoappReplyInput'];
      };
    };
    responses: {
      /** @description Replies to a comment, in public or as a message to who wrote it */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['CommentReply'];
        };
      };
    };
  };
  listContainers: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
        status?: 'creating' | 'in_progress' | 'finished' | 'publishing' | 'published' | 'error' | 'expired' | 'unknown';
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the media containers of the channel, newest first */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['MediaContainerList'];
        };
      };
    };
  };
  createContainer: {
    parameters: {
      header?: {
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MediaContainerInput'];
      };
    };
    responses: {
      /** @description Makes a media container, and answers when the platform has taken it */
      201: {
        headers: {};
        content: {
          'application/json': components['schemas']['MediaContainerCreated'];
        };
      };
    };
  };
  getContainer: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description Id of the container. */
        ctr: string;
      };
    };
    responses: {
      /** @description Returns one media container with its status */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['MediaContainer'];
        };
      };
    };
  };
  publishContainer: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description Id of the container. */
        ctr: string;
      };
    };
    responses: {
      /** @description Publishes a finished media container, once however often it is asked for */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['MediaContainerPublished'];
        };
      };
    };
  };
  listPhotoappConversations: {
    parameters: {
      query?: {
        /** @description Only this one, with its messages; the pages are then those of its messages. */
        conversationId?: string;
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 25 unless given. */
        limit?: number;
        /** @description Only those with this person. */
        participantId?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the account's conversations, or one with its messages */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['ConversationList'];
        };
      };
    };
  };
  getPhotoappInsights: {
    parameters: {
      query?: {
        breakdown?: string;
        mediaId?: string;
        metrics?: string;
        metricType?: 'total_value' | 'time_series';
        /** @description Of the account only. */
        period?: 'day' | 'week' | 'days_28' | 'lifetime';
        since?: string;
        /** @description Needed by some demographic metrics. */
        timeframe?: string;
        until?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Returns metrics of the account or of a media */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['PhotoappInsights'];
        };
      };
    };
  };
  listPhotoappMedia: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 25 unless given. */
        limit?: number;
        mediaId?: string;
        /** @description posts unless given. */
        source?: 'posts' | 'stories' | 'tagged';
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the account's posts or stories, or what others tag it in */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['PhotoappMediaList'];
        };
      };
    };
  };
  moderatePhotoappMedia: {
    parameters: {
      header?: {
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description The media, as a list or an event named it. */
        mediaId: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PhotoappMediaModerationInput'];
      };
    };
    responses: {
      /** @description Allows comments on a media, or no longer */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['PhotoappMediaModeration'];
        };
      };
    };
  };
  listPhotoappMentions: {
    parameters: {
      query?: {
        commentId?: string;
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 25 unless given. */
        limit?: number;
        mediaId?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Lists what tags the account, or returns what mentions it */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['PhotoappMentionList'];
        };
      };
    };
  };
  getChannelStatistics: {
    parameters: {
      query?: {
        /** @description Parts of equal length that the span is cut into; 60 unless given. */
        buckets?: number;
        /** @description Beginning of the span; an hour before its end unless given. */
        since?: string;
        /** @description End of the span; now unless given. */
        until?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Counts the deliveries of each destination over time, with their latency */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['ChannelStatistics'];
        };
      };
    };
  };
  listSubscriptions: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the channel's event subscriptions, newest first */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['EventSubscriptionList'];
        };
      };
    };
  };
  createSubscription: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EventSubscriptionInput'];
      };
    };
    responses: {
      /** @description Adds a URL that receives some of the channel's events */
      201: {
        headers: {};
        content: {
          'application/json': components['schemas']['SubscriptionAnswer'];
        };
      };
    };
  };
  getSubscription: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description Id of the subscription. */
        sub: string;
      };
    };
    responses: {
      /** @description Returns one event subscription */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['SubscriptionAnswer'];
        };
      };
    };
  };
  deleteSubscription: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description Id of the subscription. */
        sub: string;
      };
    };
    responses: {
      /** @description Deletes an event subscription; deliveries that wait for it are cancelled */
      204: {
        headers: {};
      };
    };
  };
  editSubscription: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description Id of the subscription. */
        sub: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EventSubscriptionChange'];
      };
    };
    responses: {
      /** @description Changes an event subscription; of two edits at once the later wins */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['SubscriptionAnswer'];
        };
      };
    };
  };
  testSubscription: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
        /** @description Id of the subscription. */
        sub: string;
      };
    };
    responses: {
      /** @description Sends a sample event to the subscription and answers with the attempt */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['DestinationTest'];
        };
      };
    };
  };
  showTyping: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TypingInput'];
      };
    };
    responses: {
      /** @description Shows the person that an answer is being written, for some 25 seconds or until it is sent */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['TypingShown'];
        };
      };
    };
  };
  listDeliveries: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        destination?: string;
        eventType?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
        /** @description The platform's own id of it. */
        platformMessageId?: string;
        /** @description `channel:<id>`, or `workspace:<id>`; the whole workspace in X-Workspace-Id where left out. */
        scope?: string;
        /** @description Who sent it, as the platform names them. */
        sender?: string;
        /** @description Made at or after. */
        since?: string;
        status?: string;
        /** @description Made before. */
        until?: string;
      };
    };
    responses: {
      /** @description Lists deliveries, newest first, without payload and attempts */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['DeliveryList'];
        };
      };
    };
  };
  getDelivery: {
    parameters: {
      path: {
        /** @description Id of the delivery. */
        wd: string;
      };
    };
    responses: {
      /** @description Returns one delivery with its payload and attempts */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['Delivery'];
        };
      };
    };
  };
  cancelDelivery: {
    parameters: {
      path: {
        /** @description Id of the delivery. */
        wd: string;
      };
    };
    responses: {
      /** @description Cancels a delivery that waits; one that has ended is refused */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['DeliveryCancel'];
        };
      };
    };
  };
  replayDelivery: {
    parameters: {
      header?: {
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the delivery. */
        wd: string;
      };
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['DeliveryReplayInput'];
      };
    };
    responses: {
      /** @description Sends the event again as a new delivery, outside the order of its conversation */
      202: {
        headers: {};
        content: {
          'application/json': components['schemas']['DeliverySummary'];
        };
      };
    };
  };
  retryDelivery: {
    parameters: {
      path: {
        /** @description Id of the delivery. */
        wd: string;
      };
    };
    responses: {
      /** @description Sends a waiting delivery now, or begins a new schedule for one that has ended */
      202: {
        headers: {};
        content: {
          'application/json': components['schemas']['DeliveryRetry'];
        };
      };
    };
  };
  streamDeliveries: {
    parameters: {
      query: {
        eventType?: string;
        /** @description `channel:<id>`, or `workspace:<id>` for all channels of the workspace in X-Workspace-Id. */
        scope: string;
        status?: string;
      };
      header?: {
        'Last-Event-ID'?: string;
      };
    };
    responses: {
      /** @description Server-sent events until one side ends them. An event `delivery` has one DeliverySummary as its data, in one line of JSON, and its id is where to go on: show it as Last-Event-ID. An event `closed` with `{"reason"}` says why the server ends the stream. Comment lines come every 15 s. */
      200: {
        headers: {};
        content: {
          'text/event-stream': string;
        };
      };
    };
  };
  getHealth: {
    parameters: {};
    responses: {
      /** @description Says that the process is up */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['Health'];
        };
      };
    };
  };
  acceptInvitation: {
    parameters: {};
    requestBody: {
      content: {
        'application/json': components['schemas']['InvitationAcceptInput'];
      };
    };
    responses: {
      /** @description Accepts an invitation, once, as the person whom it was sent to; who is a member already keeps their role */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['InvitationAccepted'];
        };
      };
    };
  };
  getOrganization: {
    parameters: {
      path: {
        /** @description Id of the organization. */
        org: string;
      };
    };
    responses: {
      /** @description Returns the credential's organization */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['Organization'];
        };
      };
    };
  };
  updateOrganization: {
    parameters: {
      path: {
        /** @description Id of the organization. */
        org: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OrganizationPatch'];
      };
    };
    responses: {
      /** @description Renames an organization */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['Organization'];
        };
      };
    };
  };
  listAuditEntries: {
    parameters: {
      query?: {
        action?: string;
        /** @description An actor's id. */
        actor?: string;
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
        /** @description From this instant on. */
        since?: string;
        /** @description Before this instant. */
        until?: string;
      };
      path: {
        /** @description Id of the organization. */
        org: string;
      };
    };
    responses: {
      /** @description Lists what was done in the organization that matters to its security, newest first */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['AuditEntryList'];
        };
      };
    };
  };
  listInvitations: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
      };
      path: {
        /** @description Id of the organization. */
        org: string;
      };
    };
    responses: {
      /** @description Lists the invitations of an organization, newest first */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['InvitationList'];
        };
      };
    };
  };
  createInvitation: {
    parameters: {
      path: {
        /** @description Id of the organization. */
        org: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['InvitationInput'];
      };
    };
    responses: {
      /** @description Invites a person by e-mail, to the organization and perhaps to one of its workspaces; good for seven days */
      201: {
        headers: {};
        content: {
          'application/json': components['schemas']['Invitation'];
        };
      };
    };
  };
  revokeInvitation: {
    parameters: {
      path: {
        /** @description Id of the invitation. */
        inv: string;
        /** @description Id of the organization. */
        org: string;
      };
    };
    responses: {
      /** @description Takes an open invitation back */
      204: {
        headers: {};
      };
    };
  };
  listApiKeys: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
      };
      path: {
        /** @description Id of the organization. */
        org: string;
      };
    };
    responses: {
      /** @description Lists the keys that are not revoked, agents' keys too, newest first; none is shown in full */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['ApiKeyList'];
        };
      };
    };
  };
  createApiKey: {
    parameters: {
      path: {
        /** @description Id of the organization. */
        org: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          /**
           * Format: date-time
           * @description A time to come.
           */
          expiresAt?: string;
          name: string;
        };
      };
    };
    responses: {
      /** @description Makes an API key with full access to the organization */
      201: {
        headers: {};
        content: {
          'application/json': components['schemas']['CreatedApiKey'];
        };
      };
    };
  };
  revokeApiKey: {
    parameters: {
      path: {
        /** @description Id of the apiKey. */
        key: string;
        /** @description Id of the organization. */
        org: string;
      };
    };
    responses: {
      /** @description Ends a key at once */
      204: {
        headers: {};
      };
    };
  };
  revealApiKey: {
    parameters: {
      path: {
        /** @description Id of the apiKey. */
        key: string;
        /** @description Id of the organization. */
        org: string;
      };
    };
    responses: {
      /** @description Shows a key in full; never an agent's key, which speaks for a person */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['RevealedApiKey'];
        };
      };
    };
  };
  listOrganizationMembers: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
      };
      path: {
        /** @description Id of the organization. */
        org: string;
      };
    };
    responses: {
      /** @description Lists the members of an organization, newest first */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['MemberList'];
        };
      };
    };
  };
  removeOrganizationMember: {
    parameters: {
      path: {
        /** @description Id of the organization. */
        org: string;
        /** @description Id of the user. */
        usr: string;
      };
    };
    responses: {
      /** @description Removes a person from the organization and its workspaces; their agents' keys end at once */
      204: {
        headers: {};
      };
    };
  };
  changeOrganizationMember: {
    parameters: {
      path: {
        /** @description Id of the organization. */
        org: string;
        /** @description Id of the user. */
        usr: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MemberRoleInput'];
      };
    };
    responses: {
      /** @description Changes a member's role; the last admin stays one */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['Member'];
        };
      };
    };
  };
  listMemberKeys: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
      };
      path: {
        /** @description Id of the organization. */
        org: string;
        /** @description Id of the user. */
        usr: string;
      };
    };
    responses: {
      /** @description Lists the valid API keys that a person made or was shown, also after they left; newest first */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['MemberKeyList'];
        };
      };
    };
  };
  listMemberReveals: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
      };
      path: {
        /** @description Id of the organization. */
        org: string;
        /** @description Id of the user. */
        usr: string;
      };
    };
    responses: {
      /** @description Lists the secrets that a person, their keys and their agents have read, also after they left; newest first */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['SecretRevealList'];
        };
      };
    };
  };
  revokeMemberKeys: {
    parameters: {
      path: {
        /** @description Id of the organization. */
        org: string;
        /** @description Id of the user. */
        usr: string;
      };
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['MemberKeyRevocationInput'];
      };
    };
    responses: {
      /** @description Revokes API keys that a person made, all of them or those that are named */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['MemberKeyRevocation'];
        };
      };
    };
  };
  rotateMemberReveals: {
    parameters: {
      path: {
        /** @description Id of the organization. */
        org: string;
        /** @description Id of the user. */
        usr: string;
      };
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RevealedRotationInput'];
      };
    };
    responses: {
      /** @description Rotates the present secrets that a person, their keys and their agents have read */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['RevealedRotationList'];
        };
      };
    };
  };
  listOnboardingLinks: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
      };
      path: {
        /** @description Id of the organization. */
        org: string;
      };
    };
    responses: {
      /** @description Lists an organization's onboarding links, newest first, the revoked ones too */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['OnboardingLinkList'];
        };
      };
    };
  };
  createOnboardingLink: {
    parameters: {
      path: {
        /** @description Id of the organization. */
        org: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OnboardingLinkInput'];
      };
    };
    responses: {
      /** @description Makes a link that a customer opens to connect a channel; it may be used for several accounts */
      201: {
        headers: {};
        content: {
          'application/json': components['schemas']['OnboardingLink'];
        };
      };
    };
  };
  getOnboardingLink: {
    parameters: {
      path: {
        /** @description Id of the onboardingLink. */
        ol: string;
        /** @description Id of the organization. */
        org: string;
      };
    };
    responses: {
      /** @description Returns an onboarding link */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['OnboardingLink'];
        };
      };
    };
  };
  revokeOnboardingLink: {
    parameters: {
      path: {
        /** @description Id of the onboardingLink. */
        ol: string;
        /** @description Id of the organization. */
        org: string;
      };
    };
    responses: {
      /** @description Revokes a link for good; whoever is in the middle of connecting through it is stopped */
      204: {
        headers: {};
      };
    };
  };
  changeOnboardingLink: {
    parameters: {
      path: {
        /** @description Id of the onboardingLink. */
        ol: string;
        /** @description Id of the organization. */
        org: string;
      };
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['OnboardingLinkPatch'];
      };
    };
    responses: {
      /** @description Changes the label or the workspace of a link that is not revoked */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['OnboardingLink'];
        };
      };
    };
  };
  regenerateOnboardingLink: {
    parameters: {
      path: {
        /** @description Id of the onboardingLink. */
        ol: string;
        /** @description Id of the organization. */
        org: string;
      };
    };
    responses: {
      /** @description Gives a link that is not revoked a new address; the old one ends at once */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['OnboardingLink'];
        };
      };
    };
  };
  listWorkspaces: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Only the customer of this external id. */
        externalId?: string;
        kind?: 'team' | 'customer';
        /** @description Records on a page; 50 unless given. */
        limit?: number;
      };
      path: {
        /** @description Id of the organization. */
        org: string;
      };
    };
    responses: {
      /** @description Lists the workspaces of an organization, newest first; `kind=customer` lists its customers, `externalId` finds one */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['WorkspaceList'];
        };
      };
    };
  };
  createWorkspace: {
    parameters: {
      path: {
        /** @description Id of the organization. */
        org: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WorkspaceInput'];
      };
    };
    responses: {
      /** @description Creates a workspace, for a team or for a customer */
      201: {
        headers: {};
        content: {
          'application/json': components['schemas']['Workspace'];
        };
      };
    };
  };
  listChannels: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
      };
    };
    responses: {
      /** @description Lists the channels of the workspace, newest first */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['ChannelList'];
        };
      };
    };
  };
  getChannel: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Returns one channel */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['Channel'];
        };
      };
    };
  };
  disableChannel: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Turns forwarding off; deliveries that wait are skipped */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['Channel'];
        };
      };
    };
  };
  disconnectChannel: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Disconnects the channel from the platform; deliveries that wait are cancelled */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['Channel'];
        };
      };
    };
  };
  enableChannel: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Turns forwarding on; what was skipped meanwhile is not sent */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['Channel'];
        };
      };
    };
  };
  getChannelEnv: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Returns what a client of the channel is set up with, as environment variables */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['ChannelEnv'];
        };
      };
    };
  };
  getChannelToken: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Returns the token that opens the channel at the gateway, minted when it is first asked for */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['ChannelToken'];
        };
      };
    };
  };
  rotateChannelToken: {
    parameters: {
      header?: {
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['TokenRotationInput'];
      };
    };
    responses: {
      /** @description Mints a new token; the one so far goes on for the overlap */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['RotatedToken'];
        };
      };
    };
  };
  answerHandshake: {
    parameters: {
      query: {
        'hub.challenge': string;
        'hub.mode': 'subscribe';
        'hub.verify_token': string;
      };
    };
    responses: {
      /** @description The challenge. */
      200: {
        headers: {};
        content: {
          'text/plain': string;
        };
      };
    };
  };
  acceptPlatformEvents: {
    parameters: {
      header: {
        'X-Hub-Signature-256': string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          [key: string]: unknown;
        };
      };
    };
    responses: {
      /** @description Every event is stored, or was before. */
      200: {
        headers: {};
      };
    };
  };
  getReadiness: {
    parameters: {};
    responses: {
      /** @description Says whether the process can serve: its database answers and has its schema */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['Readiness'];
        };
      };
    };
  };
  listReplays: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
        /** @description The workspace in X-Workspace-Id where left out. */
        scope?: string;
      };
    };
    responses: {
      /** @description Lists replays of a channel, a workspace with its channels, or an organization, newest first */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['ReplayList'];
        };
      };
    };
  };
  createReplay: {
    parameters: {
      header?: {
        'Idempotency-Key'?: string;
      };
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description Where all of it goes: `webhook`, or a subscription or a listener of the channel where the scope is one. Each delivery's own where left out. */
          destination?: string;
          /** @description Only counts. */
          dryRun?: boolean;
          eventTypes?: (
            | 'chatapp.message.received'
            | 'chatapp.message.status'
            | 'photoapp.message.received'
            | 'photoapp.comment.received'
            | 'pageapp.message.received'
            | 'pageapp.message.reaction'
            | 'pageapp.message.read'
            | 'pageapp.message.delivered'
            | 'pageapp.postback.received'
            | 'pageapp.comment.received'
            | 'pageapp.post.changed'
            | 'chatapp.other.received'
            | 'photoapp.other.received'
            | 'pageapp.other.received'
          )[];
          /** @description Events sent a second at most; 50 unless given. */
          ratePerSecond?: number;
          /** @description `channel:<id>`, `workspace:<id>` or `organization:<id>`. */
          scope: string;
          /**
           * Format: date-time
           * @description Deliveries made at or after.
           */
          since: string;
          /** @description Deliveries in one of these states when the replay is asked for. */
          statuses: ('pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped')[];
          /**
           * Format: date-time
           * @description Deliveries made before; later than `since`.
           */
          until: string;
        };
      };
    };
    responses: {
      /** @description Sends old events again, below live traffic and outside the order of conversations; or counts them only */
      202: {
        headers: {};
        content: {
          'application/json': components['schemas']['ReplayStarted'];
        };
      };
    };
  };
  getReplay: {
    parameters: {
      path: {
        /** @description Id of the replay. */
        rpl: string;
      };
    };
    responses: {
      /** @description Returns one replay and what has become of what it sent */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['Replay'];
        };
      };
    };
  };
  cancelReplay: {
    parameters: {
      path: {
        /** @description Id of the replay. */
        rpl: string;
      };
    };
    responses: {
      /** @description Ends a replay for good; what it has sent goes on as any delivery */
      202: {
        headers: {};
        content: {
          'application/json': components['schemas']['Replay'];
        };
      };
    };
  };
  pauseReplay: {
    parameters: {
      path: {
        /** @description Id of the replay. */
        rpl: string;
      };
    };
    responses: {
      /** @description Sends nothing more until the replay is resumed */
      202: {
        headers: {};
        content: {
          'application/json': components['schemas']['Replay'];
        };
      };
    };
  };
  resumeReplay: {
    parameters: {
      path: {
        /** @description Id of the replay. */
        rpl: string;
      };
    };
    responses: {
      /** @description Goes on with a replay that was paused */
      202: {
        headers: {};
        content: {
          'application/json': components['schemas']['Replay'];
        };
      };
    };
  };
  listStaffAuditEntries: {
    parameters: {
      query: {
        action?: string;
        /** @description An actor's id. */
        actor?: string;
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
        /** @description Why, for the audit log: the organization's people read it there. */
        reason: string;
        /** @description From this instant on. */
        since?: string;
        /** @description Before this instant. */
        until?: string;
      };
    };
    responses: {
      /** @description Lists what staff did in any organization and what happened in none, newest first; the look is audited */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['StaffAuditEntryList'];
        };
      };
    };
  };
  getChannelHealth: {
    parameters: {
      query: {
        /** @description Why, for the audit log: the organization's people read it there. */
        reason: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Says how a channel of any organization is doing: what waits, and why; the look is audited */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['ChannelHealth'];
        };
      };
    };
  };
  searchDeliveries: {
    parameters: {
      query: {
        channelId?: string;
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        deliveryId?: string;
        destination?: string;
        eventId?: string;
        eventType?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
        organizationId?: string;
        /** @description The platform's own id of it. */
        platformMessageId?: string;
        /** @description Why, for the audit log: the organization's people read it there. */
        reason: string;
        /** @description Who sent it, as the platform names them. */
        sender?: string;
        /** @description Received at or after. */
        since?: string;
        status?: string;
        /** @description Received before. */
        until?: string;
        workspaceId?: string;
      };
    };
    responses: {
      /** @description Searches the deliveries of all organizations, newest first; the search is audited */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['StaffDeliveryList'];
        };
      };
    };
  };
  readStaffDelivery: {
    parameters: {
      query: {
        /** @description Why, for the audit log: the organization's people read it there. */
        reason: string;
      };
      path: {
        /** @description Id of the delivery. */
        wd: string;
      };
    };
    responses: {
      /** @description Returns a delivery with its payload and attempts; its organization's audit log says who read it, and why */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['StaffDelivery'];
        };
      };
    };
  };
  replayStaffDelivery: {
    parameters: {
      header?: {
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the delivery. */
        wd: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StaffReplayInput'];
      };
    };
    responses: {
      /** @description Sends the event again as a new delivery, in the name of support */
      202: {
        headers: {};
        content: {
          'application/json': components['schemas']['StaffDeliverySummary'];
        };
      };
    };
  };
  retryStaffDelivery: {
    parameters: {
      path: {
        /** @description Id of the delivery. */
        wd: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StaffRetryInput'];
      };
    };
    responses: {
      /** @description Sends a waiting delivery now, or begins a new schedule for one that has ended, in the name of support */
      202: {
        headers: {};
        content: {
          'application/json': components['schemas']['DeliveryRetry'];
        };
      };
    };
  };
  readInvariants: {
    parameters: {
      query: {
        /** @description Why, for the audit log: the organization's people read it there. */
        reason: string;
      };
    };
    responses: {
      /** @description Says what the last daily check of the ledger found, rule by rule; the look is audited */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['Invariants'];
        };
      };
    };
  };
  listStaffReplays: {
    parameters: {
      query: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
        /** @description Why, for the audit log: the organization's people read it there. */
        reason: string;
        /** @description Whose replays: `channel:<id>`, `workspace:<id>` or `organization:<id>`. */
        scope: string;
      };
    };
    responses: {
      /** @description Lists the replays of a channel, a workspace or an organization, newest first; the look is audited */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['StaffReplayList'];
        };
      };
    };
  };
  createStaffReplay: {
    parameters: {
      header?: {
        'Idempotency-Key'?: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StaffBulkReplayInput'];
      };
    };
    responses: {
      /** @description Sends old events of any organization again, or counts them only; both are audited */
      202: {
        headers: {};
        content: {
          'application/json': components['schemas']['ReplayStarted'];
        };
      };
    };
  };
  getStaffReplay: {
    parameters: {
      query: {
        /** @description Why, for the audit log: the organization's people read it there. */
        reason: string;
      };
      path: {
        /** @description Id of the replay. */
        rpl: string;
      };
    };
    responses: {
      /** @description Returns a replay of any organization and what has become of what it sent; the look is audited */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['StaffReplay'];
        };
      };
    };
  };
  cancelStaffReplay: {
    parameters: {
      path: {
        /** @description Id of the replay. */
        rpl: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StaffReplayMoveInput'];
      };
    };
    responses: {
      /** @description Ends a replay for good, in the name of support; what it has sent goes on as any delivery */
      202: {
        headers: {};
        content: {
          'application/json': components['schemas']['StaffReplay'];
        };
      };
    };
  };
  pauseStaffReplay: {
    parameters: {
      path: {
        /** @description Id of the replay. */
        rpl: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StaffReplayMoveInput'];
      };
    };
    responses: {
      /** @description Sends nothing more until the replay is resumed, in the name of support */
      202: {
        headers: {};
        content: {
          'application/json': components['schemas']['StaffReplay'];
        };
      };
    };
  };
  resumeStaffReplay: {
    parameters: {
      path: {
        /** @description Id of the replay. */
        rpl: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StaffReplayMoveInput'];
      };
    };
    responses: {
      /** @description Goes on with a replay that was paused, in the name of support */
      202: {
        headers: {};
        content: {
          'application/json': components['schemas']['StaffReplay'];
        };
      };
    };
  };
  listUnroutedEvents: {
    parameters: {
      query: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
        /** @description Why, for the audit log: the organization's people read it there. */
        reason: string;
        /** @description The platform's id of the number, account or Page. */
        resourceId?: string;
        /** @description Received at or after. */
        since?: string;
        type?: 'chatapp' | 'photoapp' | 'pageapp';
        /** @description Received before. */
        until?: string;
      };
    };
    responses: {
      /** @description Lists what the platform sent for no channel that we know, newest first; the look is audited */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['UnroutedEventList'];
        };
      };
    };
  };
  getWebhookConfig: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Returns the channel's webhook destination */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['WebhookConfig'];
        };
      };
    };
  };
  putWebhookConfig: {
    parameters: {
      query?: {
        pending?: 'follow' | 'keep' | 'cancel';
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookConfigInput'];
      };
    };
    responses: {
      /** @description Sets the webhook destination, after two probes of the URL have passed */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['SavedWebhookConfig'];
        };
      };
    };
  };
  deleteWebhookConfig: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Clears the webhook destination; deliveries that wait for it are cancelled */
      204: {
        headers: {};
      };
    };
  };
  getWebhookHmac: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Returns the secret that signs deliveries */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['WebhookHmac'];
        };
      };
    };
  };
  rotateWebhookHmac: {
    parameters: {
      header?: {
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['WebhookHmacRotationInput'];
      };
    };
    responses: {
      /** @description Draws a new signing secret; deliveries carry the signatures of both during the overlap */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['RotatedWebhookHmac'];
        };
      };
    };
  };
  testWebhook: {
    parameters: {
      path: {
        /** @description Id of the channel. */
        ch: string;
      };
    };
    responses: {
      /** @description Sends a sample event to the webhook destination and answers with the attempt */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['DestinationTest'];
        };
      };
    };
  };
  getWorkspace: {
    parameters: {
      path: {
        /** @description Id of the workspace. */
        ws: string;
      };
    };
    responses: {
      /** @description Returns one workspace */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['WholeWorkspace'];
        };
      };
    };
  };
  deleteWorkspace: {
    parameters: {
      path: {
        /** @description Id of the workspace. */
        ws: string;
      };
    };
    responses: {
      /** @description Deletes a workspace and disconnects its channels; deliveries that wait are cancelled. An organization's last one stays */
      204: {
        headers: {};
      };
    };
  };
  updateWorkspace: {
    parameters: {
      path: {
        /** @description Id of the workspace. */
        ws: string;
      };
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['WorkspacePatch'];
      };
    };
    responses: {
      /** @description Renames a workspace; the organization's admins may also change a customer's external id */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['WholeWorkspace'];
        };
      };
    };
  };
  listWorkspaceMembers: {
    parameters: {
      query?: {
        /** @description `nextCursor` of the page before. */
        cursor?: string;
        /** @description Records on a page; 50 unless given. */
        limit?: number;
      };
      path: {
        /** @description Id of the workspace. */
        ws: string;
      };
    };
    responses: {
      /** @description Lists the members of a workspace, newest first */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['WorkspaceMemberList'];
        };
      };
    };
  };
  putWorkspaceMember: {
    parameters: {
      path: {
        /** @description Id of the user. */
        usr: string;
        /** @description Id of the workspace. */
        ws: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WorkspaceMemberRoleInput'];
      };
    };
    responses: {
      /** @description Makes a member of the organization one of the workspace, or changes their role there */
      200: {
        headers: {};
        content: {
          'application/json': components['schemas']['WorkspaceMember'];
        };
      };
    };
  };
  removeWorkspaceMember: {
    parameters: {
      path: {
        /** @description Id of the user. */
        usr: string;
        /** @description Id of the workspace. */
        ws: string;
      };
    };
    responses: {
      /** @description Removes a person from the workspace; they stay in the organization */
      204: {
        headers: {};
      };
    };
  };
}
