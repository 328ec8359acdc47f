import { useEffect } from "react";
import { Navigate } from "react-router";
import { openSignUp } from "@/lib/account-panel";
import { paths } from "@/lib/paths";
import { useMember } from "@/lib/session";

/** The address of the sign-up panel, which lies over the home page. Members have no use for it. */
export default function SignUp() {
  const member = useMember();
  useEffect(() => {
    if (!member) openSignUp();
  }, [member]);
  return <Navigate to={member ? paths.members : paths.home} replace />;
}
