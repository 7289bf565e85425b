import React from "react";

type Props = {
  title: string;
  onClose: () => void;
};

export const View: React.FC<Props> = ({ title, onClose }) => {
  const [open, setOpen] = useState(false);

  useEffect(() => {
    setOpen(true);
  }, []);

  const handleClose = () => {
    setOpen(false);
  };

  return (
    <div className="view">
      <h1>{title}</h1>
    </div>
  );
};

export default View;
